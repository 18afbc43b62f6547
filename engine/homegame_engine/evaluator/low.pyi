import numpy as np
from numpy.typing import NDArray

def count_low_ranks(ranking: int, n_cards: int, qualifier: int = 0) -> NDArray[np.int64]: ...
