import { distance } from "fastest-levenshtein";

/**
 * The known word that was probably meant: equal but for case, or at most a third of its letters away.
 *
 * @example
 * suggest("timeot", ["memory", "timeout"]); // "timeout"
 */
export function suggest(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editsBetween(lower, candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best !== null && bestDistance <= Math.max(1, Math.ceil(word.length / 3)) ? best : null;
}

/** Like the edit distance, but letters in the wrong order count as one slip. */
function editsBetween(word: string, candidate: string): number {
  const edits = distance(word, candidate);
  return edits > 1 && sortedLetters(word) === sortedLetters(candidate) ? 1 : edits;
}

function sortedLetters(word: string): string {
  return [...word].sort().join("");
}

/** `Did you mean "timeout"?`, else the list of what there is. */
export function didYouMean(word: string, known: readonly string[], what: string): string {
  const meant = suggest(word, known);
  if (meant !== null) return `Did you mean \`${meant}\`?`;
  return `Known ${what}: ${known.join(", ")}.`;
}
