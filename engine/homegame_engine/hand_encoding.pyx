# cython: language_level=3
"""A hand's whole state as bytes. See hand_encoding.pxd. Fields are only ever added behind, and only for hands that use them."""

from homegame_engine.betting cimport SPECIAL_OPEN_PAIR, SPECIAL_OPENERS, first_actor
from homegame_engine.hand_state cimport HandCore, PHASE_BETTING, PHASE_CHOOSING
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

cdef enum:
    MAX_FIELDS = 1024   # More than the longest hand has.


cdef bytes encode_hand(const HandCore* h):
    """Canonical form of the whole state: one little-endian int64 a field in a fixed order, the version first."""
    cdef int64_t fields[MAX_FIELDS]
    cdef int32_t n = 0, i, k
    cdef const int64_t* sizes = &h.betting.rules.unit_chips
    fields[0] = HAND_ENCODING_VERSION
    n = 1
    for i in range(8):                       # unit_chips to spread_max_chips stand in a row in BettingRules.
        fields[n + i] = sizes[i]
    n += 8
    for value in (
        h.betting.rules.structure, h.betting.rules.reopen_rule, h.betting.rules.fold_when_free, h.betting.rules.raise_cap,
        h.showdown.ask, h.showdown.first, h.showdown.allin_face_up, h.game.n_steps, h.game.n_hole_cards,
        h.betting.level_chips, h.betting.full_level_chips, h.betting.raise_size_chips, h.betting.increment_chips,
        h.betting.pot_before_chips, h.betting.blind_shortfall_chips, h.betting.first_wager_max_chips, h.betting.n_wagers,
        h.betting.live_mask, h.betting.acted_mask, h.betting.actor, first_actor(&h.betting), h.betting.last_aggressor,
        h.betting.short_wager, h.betting.short_blind, h.dead_chips, h.issued_chips, h.n_deck_cards, h.next_deck_position,
        h.n_board_cards, h.n_seats, h.button, h.small_blind_seat, h.big_blind_seat, h.step, h.street, h.phase, h.actor,
        h.showdown_first, h.dealt_mask, h.shown_mask, h.mucked_mask, h.n_actions, h.refund.seat, h.refund.chips,
    ):
        fields[n] = value
        n += 1
    for i in range(h.n_seats):
        fields[n] = h.betting.stack_chips[i]
        fields[n + 1] = h.betting.street_chips[i]
        fields[n + 2] = h.start_stack_chips[i]
        fields[n + 3] = h.committed_chips[i]
        fields[n + 4] = h.won_chips[i]
        fields[n + 5] = h.n_hole_cards[i]
        fields[n + 6] = h.ranks[i]
        n += 7
        for k in range(h.n_hole_cards[i]):
            fields[n] = h.hole_positions[i][k]
            n += 1
    for i in range(h.n_deck_cards):
        fields[n] = h.deck[i]
        n += 1
    for i in range(h.n_board_cards):
        fields[n] = h.board_positions[i]
        n += 1
    # Before the showdown layers are only a display.
    for i in range(h.n_layers if h.phase != PHASE_BETTING and h.phase != PHASE_CHOOSING else 0):
        fields[n] = h.layers[i].chips
        fields[n + 1] = h.layers[i].eligible
        n += 2
    if has_more_to_encode(h):
        n = encode_rest(h, fields, n)
    return PyBytes_FromStringAndSize(<const char*>fields, n * sizeof(int64_t))


cdef bint has_more_to_encode(const HandCore* h) noexcept nogil:
    """Whether a hand has state that the form of the first games has no place for; theirs must never change."""
    return not (h.game.is_plain_deal and h.game.is_plain_high) or h.kill_seat >= 0 or (
        h.carry_chips | h.deal.ante_chips | h.deal.bring_in_chips | h.deal.odd_units | h.deal.keeps_last_card
        | h.deal.out_of_turn_fold | h.deal.agreement
    ) != 0


cdef int32_t encode_rest(const HandCore* h, int64_t* fields, int32_t n) noexcept nogil:
    """Appends to `fields`  # OUT what hold'em without options has not; returns their number."""
    cdef int32_t i, k
    cdef int64_t rest[32]
    rest[0] = h.game.forced
    rest[1] = h.game.award
    rest[2] = h.game.high.ranking
    rest[3] = h.game.low.ranking
    rest[4] = h.deal.odd_units
    rest[5] = h.deal.bring_in_is_choice
    rest[6] = h.deal.dead_hand_gets_cards
    rest[7] = h.deal.open_pair_choice
    rest[8] = h.deal.keeps_last_card
    rest[9] = h.deal.out_of_turn_fold
    rest[10] = h.deal.tie_keeps_both
    rest[11] = h.deal.agreement
    rest[12] = h.deal.ante_chips
    rest[13] = h.deal.bring_in_chips
    rest[14] = h.carry_chips
    rest[15] = h.redeal_mask
    rest[16] = h.kill_seat
    rest[17] = h.betting.special
    rest[18] = h.betting.bring_in_chips if h.betting.special else 0
    rest[19] = h.betting.big_step_chips if h.betting.special & SPECIAL_OPEN_PAIR else 0
    rest[20] = h.betting.may_open_mask if h.betting.special & SPECIAL_OPENERS else 0
    rest[21] = h.n_mixes
    rest[22] = h.n_mix_orders
    rest[23] = h.named_mask if h.named_at_action == h.n_actions else 0
    memcpy(fields + n, rest, 24 * sizeof(int64_t))
    n += 24
    for i in range(h.n_seats):
        if not rest[23] >> i & 1:
            continue
        for k in range(h.n_seats):
            fields[n] = h.named_shares[i][k]
            n += 1
    for i in range(h.n_mix_orders):
        for k in range(h.n_deck_cards):
            fields[n] = h.mix_orders[i][k]
            n += 1
    if h.game.is_plain_deal and h.game.is_plain_high:
        return n
    fields[n] = h.pending_mask
    fields[n + 1] = h.receives_mask
    fields[n + 2] = h.bring_in_seat
    n += 3
    for i in range(h.n_seats):
        fields[n] = h.low_ranks[i]
        fields[n + 1] = h.up_masks[i]
        fields[n + 2] = h.declared[i]
        fields[n + 3] = <int64_t>h.chosen_masks[i]
        n += 4
    for i in range(h.n_deck_cards if h.n_mixes else 0):
        fields[n] = h.deal_order[i]
        n += 1
    for i in range(h.n_opener_cards):
        fields[n] = h.opener_positions[i]
        n += 1
    return n
