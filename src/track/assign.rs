//! Which detection is which ball.

/// Least total cost of giving each row at most one column; a row without a column costs `unseen`.
///
/// `cost[row][column]`; infinite means impossible. Exact, by branch and bound: the rows are the few balls of a game
/// and most pairs are impossible by colour or distance.
///
/// Returns the column of each row. Of equal costs the one with the lower columns wins, so that the result does not
/// depend on anything but the numbers.
pub(crate) fn assign(cost: &[Vec<f64>], unseen: f64) -> Vec<Option<usize>> {
    let mut best = (f64::INFINITY, vec![None; cost.len()]);
    let mut chosen = vec![None; cost.len()];
    descend(cost, unseen, 0, 0.0, &mut chosen, &mut best);
    best.1
}

fn descend(
    cost: &[Vec<f64>],
    unseen: f64,
    row: usize,
    so_far: f64,
    chosen: &mut Vec<Option<usize>>,
    best: &mut (f64, Vec<Option<usize>>),
) {
    if so_far >= best.0 {
        return;
    }
    let Some(costs) = cost.get(row) else {
        *best = (so_far, chosen.clone());
        return;
    };
    for (column, &c) in costs.iter().enumerate() {
        if c < unseen && !chosen[..row].contains(&Some(column)) {
            chosen[row] = Some(column);
            descend(cost, unseen, row + 1, so_far + c, chosen, best);
        }
    }
    chosen[row] = None;
    descend(cost, unseen, row + 1, so_far + unseen, chosen, best);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_best_not_each_row() {
        let cost = vec![vec![1.0, 2.0], vec![1.1, 9.0]];
        assert_eq!(assign(&cost, 20.0), [Some(1), Some(0)]);
    }

    #[test]
    fn a_row_stays_empty_rather_than_take_the_impossible() {
        let cost = vec![vec![f64::INFINITY, 25.0], vec![3.0, f64::INFINITY]];
        assert_eq!(assign(&cost, 20.0), [None, Some(0)]);
    }
}
