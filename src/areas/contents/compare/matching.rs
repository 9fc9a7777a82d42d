//! Counts the steps of the crate that matches lines before it runs. For files with few different lines they are the
//! product of the lengths, which can take half a minute.

use imara_diff::{InternedInput, Token};

/// Steps of [`super::budget`] for hashing and printing a line.
pub const STEPS_OF_A_LINE: u64 = 8;

/// Lines that the crate passes over in the time of a step.
const LOOKS_OF_A_STEP: u64 = 16;

/// How often a line is in the other file.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Alone,
    Rare,
    Frequent,
}

/// Whether the lines can be matched in so many steps. Subtracts the steps.
pub fn can_match(input: &InternedInput<&[u8]>, steps: &mut u64) -> bool {
    let kinds = input.interner.num_tokens() as usize;
    let old = matched(&input.before, &input.after, kinds, steps);
    let new = matched(&input.after, &input.before, kinds, steps);
    *steps > 0 && can_walk(&old, &new, steps)
}

/// The lines that the crate matches: `preprocess` of imara-diff 0.2.0. It passes over lines that match none, and over
/// frequent ones in the midst of such. For each frequent line it looks back to the last rare one, or to the hundredth.
fn matched(lines: &[Token], others: &[Token], kinds: usize, steps: &mut u64) -> Vec<Token> {
    const NEAR: usize = 100;
    let mut times = vec![0_u32; kinds];
    for token in others {
        if let Some(times) = times.get_mut(token.0 as usize) {
            *times += 1;
        }
    }
    let many = (1 << ((usize::BITS - lines.len().leading_zeros()) / 2)).min(1024);
    let line = |token: &Token| match times.get(token.0 as usize).copied().unwrap_or_default() {
        0 => Line::Alone,
        times if times >= many => Line::Frequent,
        _ => Line::Rare,
    };
    let all: Vec<Line> = lines.iter().map(line).collect();
    // lines that match none, before each line and in all
    let alone: Vec<usize> = std::iter::once(0)
        .chain(all.iter().scan(0, |sum, line| {
            *sum += usize::from(*line == Line::Alone);
            Some(*sum)
        }))
        .collect();
    let alone_before = |at: usize| alone.get(at).copied().unwrap_or_default();
    let (mut kept, mut begin) = (Vec::new(), 0);
    for (at, (token, line)) in lines.iter().zip(&all).enumerate() {
        let is_passed_over = match line {
            Line::Alone => true,
            Line::Rare => {
                begin = at + 1;
                false
            }
            Line::Frequent => {
                let first = begin.max(if at > NEAR { NEAR } else { 0 });
                let mut alone = alone_before(at) - alone_before(first);
                let mut looks = at - first;
                if alone > 0 {
                    let behind = all.iter().skip(at).take(NEAR).take_while(|line| **line != Line::Rare);
                    let (count, more) = behind
                        .fold((0, 0), |(count, more), line| (count + 1, more + usize::from(*line == Line::Alone)));
                    looks += count;
                    alone = if more > 0 { alone + more } else { 0 };
                }
                *steps = steps.saturating_sub(looks as u64 / LOOKS_OF_A_STEP);
                alone > 3 * (looks - alone)
            }
        };
        if !is_passed_over {
            kept.push(*token);
        }
    }
    kept
}

/// Walks as Myers' algorithm does.
fn can_walk(old: &[Token], new: &[Token], steps: &mut u64) -> bool {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let [old, new] = [old, new].map(|lines| lines.get(head..lines.len() - tail).unwrap_or_default());
    if old.is_empty() || new.is_empty() {
        return true;
    }
    let at = |tokens: &[Token], at: i64| usize::try_from(at).ok().and_then(|at| tokens.get(at).copied());
    // by diagonals, which begin at the distance below the first one: the farthest line of the old file
    let mut ends: Vec<i64> = Vec::new();
    for distance in 0.. {
        ends.push(if distance == 0 { 0 } else { i64::MIN });
        let (mut diagonal, mut left) = (-distance, i64::MIN);
        for end in &mut ends {
            let mut line = left.max(*end);
            left = end.saturating_add(1);
            let start = line;
            while at(old, line).is_some_and(|token| at(new, line - diagonal) == Some(token)) {
                line += 1;
            }
            *steps = steps.saturating_sub(line.abs_diff(start) / STEPS_OF_A_LINE + 1);
            if line >= old.len() as i64 && line - diagonal >= new.len() as i64 {
                return true;
            }
            if *steps == 0 {
                return false;
            }
            *end = line;
            diagonal += 2;
        }
    }
    false
}
