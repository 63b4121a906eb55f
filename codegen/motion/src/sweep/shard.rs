//! Shards: parts of a sweep that run as processes of their own.

/// Part `index` of `count`: the points whose number leaves the remainder `index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// Reason why a text or the variables of Slurm name no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ShardFault(String);

impl Shard {
    /// All points.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Part `index` of `count`, counted from zero.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(index: usize, count: usize) -> Result<Self, ShardFault> {
        match index < count {
            true => Ok(Shard { index, count }),
            false => Err(ShardFault(format!(
                "there is no shard {index} of {count}: shards are counted from 0, as in 0/8 to 7/8"
            ))),
        }
    }

    /// Reads `i/n`.
    ///
    /// # Errors
    /// If the text has another form, or there is no such shard.
    pub fn parse(text: &str) -> Result<Self, ShardFault> {
        let parts =
            text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        let (index, count) =
            parts.ok_or_else(|| ShardFault("expected i/n, such as 0/8 for the first of eight".to_owned()))?;
        Shard::new(index, count)
    }

    /// The shard of this task of a Slurm array; `None` outside an array. `variable` returns the
    /// value of an environment variable.
    ///
    /// # Errors
    /// If a variable is missing or no whole number, or the numbers of the array are irregular.
    pub fn from_slurm(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ShardFault> {
        if variable(&slurm_variable("ID")).is_none() {
            return Ok(None);
        }
        let number = |part: &str| {
            let name = slurm_variable(part);
            let text = variable(&name).unwrap_or_default();
            text.trim().parse::<usize>().map_err(|_| {
                ShardFault(format!("{name} must be a whole number, not `{text}`: pass `--shard i/n`"))
            })
        };
        let (id, min, max) = (number("ID")?, number("MIN")?, number("MAX")?);
        let (step, count) = (number("STEP")?, number("COUNT")?);
        let irregular = || {
            ShardFault(format!(
                "this Slurm array is not regular: task {id} of {count}, from {min} to {max} in steps of {step}. \
                 Submit `--array=0-{}`, or pass `--shard i/n`",
                count.saturating_sub(1)
            ))
        };
        let offset = id.checked_sub(min).ok_or_else(irregular)?;
        // No task of an irregular array runs: else the first ones would leave out points.
        let last = count.checked_sub(1).and_then(|n| n.checked_mul(step)?.checked_add(min));
        if step == 0 || offset % step != 0 || last != Some(max) {
            return Err(irregular());
        }
        Shard::new(offset / step, count).map(Some).map_err(|_| irregular())
    }

    /// Numbers of the points of this shard, among `points` in all.
    pub fn numbers(self, points: usize) -> impl Iterator<Item = usize> {
        (self.index..points).step_by(self.count)
    }

    /// True if the point of this number belongs to the shard.
    pub fn has(self, number: usize) -> bool {
        number % self.count == self.index
    }

    /// Name of the results file.
    pub fn file_name(self) -> String {
        format!("shard-{:04}-of-{:04}.csv", self.index, self.count)
    }
}

/// Name of a variable of a Slurm array.
fn slurm_variable(part: &str) -> String {
    format!("SLURM_ARRAY_TASK_{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slurm(values: [&str; 5]) -> Result<Option<Shard>, ShardFault> {
        let names = ["ID", "MIN", "MAX", "STEP", "COUNT"].map(slurm_variable);
        Shard::from_slurm(|name| {
            let i = names.iter().position(|n| n == name)?;
            Some(values[i].to_owned()).filter(|v| !v.is_empty())
        })
    }

    #[test]
    fn shards_of_a_slurm_array_are_counted_from_its_first_task() {
        assert_eq!(slurm(["", "", "", "", ""]), Ok(None));
        assert_eq!(slurm(["0", "0", "7", "1", "8"]), Shard::new(0, 8).map(Some));
        assert_eq!(slurm(["7", "1", "7", "2", "4"]), Shard::new(3, 4).map(Some));
        for wrong in [
            ["9", "1", "7", "2", "4"],
            ["4", "1", "7", "2", "4"],
            ["0", "1", "4", "1", "4"],
            ["1", "1", "4", "0", "4"],
            // `--array=1,5,7` and `--array=0,1,8`: the first tasks, too, are refused.
            ["1", "1", "7", "1", "3"],
            ["5", "1", "7", "1", "3"],
            ["1", "0", "8", "1", "3"],
            ["0", "0", "18446744073709551615", "18446744073709551615", "3"],
            ["0", "0", "0", "1", "0"],
        ] {
            assert!(slurm(wrong).unwrap_err().to_string().contains("not regular"), "{wrong:?}");
        }
        assert!(slurm(["1", "1", "4", "", "4"]).unwrap_err().to_string().contains("SLURM_ARRAY_TASK_STEP"));
        assert!(slurm(["1", "1", "", "1", "4"]).unwrap_err().to_string().contains("SLURM_ARRAY_TASK_MAX"));
        assert!(slurm(["x", "1", "4", "1", "4"]).unwrap_err().to_string().contains("not `x`"));
    }

    #[test]
    fn shards_partition_the_points() {
        for count in [1, 3, 8] {
            let mut all: Vec<usize> =
                (0..count).flat_map(|i| Shard::new(i, count).unwrap().numbers(20)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..20).collect::<Vec<_>>());
        }
        assert!(Shard::parse("2/8").unwrap().numbers(20).all(|i| Shard::parse("2/8").unwrap().has(i)));
        for wrong in ["8/8", "1", "a/b", "-1/2", "1/0", "1/2/3"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}
