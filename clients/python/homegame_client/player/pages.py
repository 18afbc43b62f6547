"""Things to read away from the table, as lines: the posting, the rank card, a played hand, the result, the keys.

How cards are written is handed in: blocks of colour with letters on a screen, words for a voice.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.text import Text

from homegame.v1.cards_pb2 import Card
from homegame.v1.catalog_pb2 import BettingStructure, BlockEnd, Game, Level, RankCard, RuleCardSection
from homegame.v1.events_pb2 import GameCalled
from homegame.v1.hands_pb2 import Hand
from homegame.v1.sheets_pb2 import Placement, Scoresheet
from homegame.v1.views_pb2 import TableView
from homegame_client.player.hanging import Entry
from homegame_client.terminal.calling import is_hand_running
from homegame_client.terminal.card_marks import card_mark
from homegame_client.terminal.sentences import Cards, Spell, tell
from homegame_client.terminal.sheet import draw_sheet
from homegame_client.terminal.words import Names, chips_text, clock_text, namer, stakes_text, visible

HEADING: Final = "bold"

_TIES: Final = {
    "SHARE": "ties share the place",
    "SHORT_HAND": "ties share the place, or play a short hand if all of them ask",
}

HELP: Final = (
    ("f", "fold"),
    ("c", "check, or call the amount shown"),
    ("b or r", "bet, raise or complete; type an amount, min or max if asked"),
    ("i", "bring it in, where your card has to"),
    ("1-9", "pick cards to discard, draw or pass; Enter gives them up"),
    ("d", "at a draw: stand pat, with no card picked"),
    ("l, h, b", "where halves are declared: low, high, both"),
    ("s, m", "at showdown: show, or muck"),
    ("x", "cut the deck, when it is yours to cut"),
    ("t", "take a token of the time bank for this decision"),
    ("a", "where the house lets you: divide the pot by agreement"),
    ("g", "where resets are offered: agree before play, take one"),
    ("y, n", "tied for the first place at the end, where it is offered: ask for a short hand, or share"),
    ("p", "the sheet: points, places, won and lost"),
    ("k", "the rank card: which hand beats which"),
    ("e", "the game: what is dealt, and what wins"),
    ("h", "the hands that were played"),
    ("o", "sit out a called hand; else from the next hand on; or come back"),
    ("Enter", "the call, when it is yours; the posting; at the end, the result"),
    ("q", "quit: give up the seat, or keep it and come back"),
    ("?", "this page"),
)


def as_marks(cards: Cards) -> Text:
    """Cards as blocks of colour with rank and suit letter: ` As  Kd `."""
    return Text(" ").join(card_mark(card) for card in cards)


def as_words(cards: Cards) -> Text:
    """Cards spelled out for a voice: `ace of spades, king of diamonds`."""
    return Text(", ".join(_card_words(card) for card in cards))


def posting_page(view: TableView, summary: str, now_ms: int, game_name: Callable[[str], str]) -> list[Text]:
    """What was posted and is locked once play begins; one acknowledges having read this (GEN-06)."""
    posting = view.posting
    rows = {
        "format": _format(view),
        "players": f"{posting.min_players} to {posting.max_players}; this table has {len(view.seats)} seats",
        "start": f"{chips_text(posting.start_chips)} points for everyone",
        "betting": _betting(view),
        "stakes": "; ".join(_level(level) for level in posting.levels),
        "this hand": _this_hand(view),
        "games": _games(view, game_name),
        "cutoff": _cutoff(view, now_ms),
        "decisions": f"{posting.decision_window_ms / 1000:g} seconds each, the same for everyone, by the server's clock",
        "time bank": _time_bank(view),
        "cut": f"{posting.cut_window_ms / 1000:g} seconds; after that the server cuts" if posting.cut_window_ms else "",
        "resets": "one each, from zero, if everybody agrees before play (g agrees)" if posting.offers_reset else "",
        "result": f"the highest {posting.scoring.lower()} wins; {_TIES.get(posting.tie_rule, posting.tie_rule.lower())}",
    }
    lines = [Text(visible(view.night_name), style=HEADING)]
    if summary:
        lines.append(Text(visible(summary)))
    return [*lines, Text(""), *_table(rows)]


def rank_page(card: RankCard, spell: Spell) -> list[Text]:
    """How hands rank, strongest first; where high and low share the pot the low ones after the high ones."""
    lines = [Text("How hands rank, strongest first", style=HEADING), Text("")]
    ranking = ""
    for category in card.categories:
        if category.ranking != ranking:
            ranking = category.ranking
            lines += [Text(visible(ranking), style=HEADING)]
        lines.append(Text.assemble((f"{category.position:>2}  {category.name:<16}", HEADING), spell(category.example)))
        lines.append(Text(f"    {category.comparison}"))
    return [*lines, Text(""), *(Text(note) for note in card.notes)]


def rule_page(sections: Sequence[RuleCardSection]) -> list[Text]:
    """The rule card of a game, in the order in which a dealer explains it."""
    lines: list[Text] = []
    for section in sections:
        lines += [Text(visible(section.title), style=HEADING), *_paragraphs(section.lines), Text("")]
    return lines


def called_page(called: GameCalled, names: Names) -> list[Text]:
    """A call as it is explained to everybody (GAME-DC-02)."""
    who = names(called.seat)
    verb = "called nothing in time; this is dealt" if called.by_clock else "calls"
    head = [Text.assemble(f"{who} {verb}: ", (visible(called.game.name), HEADING))]
    if called.ante_chips:
        head.append(Text(f"Ante {chips_text(called.ante_chips)} for everyone who stays in."))
    told = [line.strip() for section in called.rule_card for line in section.lines]
    own_words = [] if called.explanation.strip() in told else [*_paragraphs([called.explanation]), Text("")]
    return [*head, Text(""), *own_words, *rule_page(called.rule_card)]


def players_words(game: Game) -> str:
    """For how many a game is: `2-8`."""
    return f"{game.min_players}-{game.max_players}" if game.max_players else ""


def hand_page(hand: Hand, view: TableView, spell: Spell) -> list[Text]:
    """A played hand, as this viewer may see it."""
    names = namer(view)
    told = [tell(event, names, spell) for event in hand.events]
    lines = [Text(f"Hand {hand.summary.hand_number}", style=HEADING), Text("")]
    lines.extend(line for line in told if line is not None)
    if not hand.events or hand.events[-1].WhichOneof("event") != "hand_ended":
        return lines
    net = hand.events[-1].hand_ended.net_chips
    moved = [f"{names(seat)} {chips:+,}" for seat, chips in enumerate(net) if chips]
    return [*lines, Text(f"Won and lost: {', '.join(moved) or 'nothing'}")]


def sheet_page(sheet: Scoresheet) -> list[Text]:
    """The sheet, with the last hands below the totals."""
    lines = [Text(line) for line in draw_sheet(sheet)]
    if not sheet.rows:
        return lines
    names = {column.seat: visible(column.display_name) for column in sheet.columns}
    lines += [Text(""), Text("Hands, the last first", style=HEADING)]
    games = {row.game_id for row in sheet.rows}
    for row in reversed(sheet.rows):
        moved = [f"{names.get(entry.seat, '')} {entry.net_chips:+,}" for entry in row.entries if entry.net_chips]
        if row.carry_chips:
            moved.append(f"{chips_text(row.carry_chips)} stayed in the middle")
        game = f"{visible(row.game_id)}: " if len(games) > 1 else ""
        game += "short hand: " if row.is_playoff else ""
        lines.append(Text(f"{row.hand_number:>4}  {game}{', '.join(moved) or 'nothing moved'}"))
    return lines


def help_page() -> list[Text]:
    """The keys."""
    lines = [Text("Keys", style=HEADING), Text("")]
    lines.extend(Entry.of(f"  {key:<8}", meaning) for key, meaning in HELP)
    return [
        *lines,
        Text(""),
        Text("Only what the server allows now can be pressed; a key that comes too late does nothing."),
        Text("The clock is the server's. When it runs out, the server checks for you if nothing is owed else folds."),
        Text("If the connection breaks, the seat is kept and this program comes back to it by itself."),
    ]


def place_words(standings: Sequence[Placement], seat: int | None) -> str:
    """Where one came: `2nd of 6 with 120`, `shared 1st of 6 with 115`; empty for a spectator."""
    own = next((standing for standing in standings if standing.seat == seat), None)
    if own is None:
        return ""
    shared = "shared " if own.tied else ""
    return f"{shared}{ordinal(own.place)} of {len(standings)} with {chips_text(own.stack_chips)}"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    teens = range(11, 14)
    ending = "th" if number % 100 in teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _format(view: TableView) -> str:
    posting = view.posting
    name, house = visible(posting.format_name), visible(posting.house_name)
    return f"{name} ({visible(posting.format_id)}){'' if name.endswith(house) else f', house {house}'}"


def _betting(view: TableView) -> str:
    posting = view.posting
    name = BettingStructure.Name(posting.structure).removeprefix("BETTING_STRUCTURE_").lower().replace("_", " ")
    cap = (
        f"{posting.raise_cap} raises a street after the opening bet"
        if posting.HasField("raise_cap")
        else "no cap on raises"
    )
    return f"{name}, {cap}"


def _time_bank(view: TableView) -> str:
    tokens, seconds = view.posting.time_bank_tokens, view.posting.time_bank_ms / 1000
    count = f"{tokens} token{'s' if tokens != 1 else ''}"
    return f"{count} of {seconds:g} seconds for each player, one a decision (t takes it)" if tokens else ""


def _level(level: Level) -> str:
    stakes = stakes_text(level)
    return stakes if level.from_hand <= 1 else f"{stakes} from hand {level.from_hand}"


def _this_hand(view: TableView) -> str:
    """What the hand in view is played for, where that is not what was posted: an ante that was called, a kill."""
    stakes = stakes_text(view.stakes) if is_hand_running(view) else ""
    return "" if stakes in {stakes_text(level) for level in view.posting.levels} else stakes


def _games(view: TableView, game_name: Callable[[str], str]) -> str:
    posting = view.posting
    if posting.dealer_calls:
        return (
            f"the dealer of each hand calls its game within {posting.call_window_ms / 1000:g} seconds; "
            f"then {posting.sit_out_window_ms / 1000:g} seconds to sit it out"
        )
    ends = {BlockEnd.BLOCK_END_CUTOFF: "cutoff"}
    return ", then ".join(
        f"{visible(game_name(block.game_id))} until the {ends.get(block.until, 'end of the orbit')}"
        for block in posting.blocks
    )


def _paragraphs(texts: Sequence[str]) -> list[Text]:
    """Lines of text, each that a dealer wrote kept apart."""
    return [Text(visible(line)) for text in texts for line in text.splitlines()]


def _cutoff(view: TableView, now_ms: int) -> str:
    if not view.posting.HasField("cutoff_at_ms"):
        return "not posted yet"
    left_ms = view.posting.cutoff_at_ms - now_ms
    return f"no hand starts after {clock_text(left_ms)} from now" if left_ms > 0 else "passed: no hand starts any more"


def _table(rows: Mapping[str, str]) -> list[Text]:
    return [Entry.of(f"  {key:<11}", text, HEADING) for key, text in rows.items() if text]


def _card_words(card: Card.ValueType) -> str:
    if card == Card.CARD_HIDDEN:
        return "a hidden card"
    return Card.Name(card).removeprefix("CARD_").lower().replace("_", " ")
