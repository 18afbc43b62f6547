"""Types of the compiled module `choices`; its cores are in choices.pxd."""

def deal_of_last_cards(*, n_due: int, n_stub: int, n_burns: int) -> tuple[str, int, int, bool]:
    """Plan the deal of the last private cards of stud when the stub may not suffice.

    Args:
        n_due: Players who are due a card, 0 to 54.
        n_stub: Cards left in the stub, 0 to 54.
        n_burns: Cards burnt and removed so far, 0 to 54.

    Returns:
        NORMAL, REMIX or COMMON; the cards dealt before the mixing; those dealt after it; and whether a card is burnt after it, or
        before the common card.

    Raises:
        InputError: a number that no deck has.

    Rules: GAME-ST-17.
    """
