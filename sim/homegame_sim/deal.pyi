"""Types of the compiled module `deal`; the structs are in deal.pxd."""

from homegame_engine.specs import GameSpec, HandRules

def deck_order(
    game: GameSpec,
    hand_rules: HandRules,
    *,
    seed: int,
    block: int,
    hand: int,
    n_players: int,
    dealt_mask: int,
    button: int,
) -> bytes:
    """Return the deck order of one simulated hand: the codes of the game's deck, top first.

    Args:
        game: What is dealt.
        hand_rules: Where the burns stand.
        seed: Of the run.
        block: Rotation block.
        hand: Hand of the session, from 0.
        n_players: Players of the session, at seats 0 to n_players - 1; 2 to 10.
        dealt_mask: Seats that the hand deals in.
        button: Seat that has the button.

    Raises:
        InputError: players or a button that no table has, or more players than the deck has cards for.
    """

def mix_orders(
    game: GameSpec,
    hand_rules: HandRules,
    *,
    seed: int,
    block: int,
    hand: int,
    n_players: int,
    dealt_mask: int,
    button: int,
) -> bytes:
    """Return the orders in which that hand would mix its stub anew, one after the other; b"" where it cannot run short.

    Args and errors as of `deck_order`. As cards the orders are the same wherever the button is.
    """
