/**
 * Takes two measurements in turns, A B A B, so that what else the machine does disturbs both alike.
 *
 * @template T
 * @param {number} times
 * @param {() => Promise<T>} subject
 * @param {() => Promise<T>} floor
 * @param {(run: T) => number} figure
 * @returns {Promise<{ ratio: number, subject: number, floor: number }>} medians: of the pairs' ratios, and of each side
 */
export async function paired(times, subject, floor, figure) {
  // The first run of each pays for cold caches of the disk.
  await floor();
  await subject();
  const subjects = [];
  const floors = [];
  for (let time = 0; time < times; time += 1) {
    subjects.push(figure(await subject()));
    floors.push(figure(await floor()));
  }
  return {
    ratio: median(subjects.map((value, at) => value / floors[at])),
    subject: median(subjects),
    floor: median(floors),
  };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
