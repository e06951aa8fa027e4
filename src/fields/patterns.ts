import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

const compiled = new LRUCache<string, RE2JS>({ max: 500 });

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

/**
 * Whether the whole of a text matches a pattern, in time that grows with the length of the text alone.
 * @param pattern One that {@link patternFault} let through.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return compile(pattern).matches(text);
}

/** How much one pattern costs for each character of a text, in steps of the engine. */
export function patternCost(pattern: string): number {
  return compile(pattern).programSize();
}

const longestPattern = 500;

/** Why a pattern cannot be taken, if so. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `must have at most ${longestPattern} characters`;
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return `is no pattern that is taken: ${reasonOf(pattern, error)}`;
  }
}

function reasonOf(pattern: string, error: unknown): string {
  if (/\(\?(?:[=!]|<[=!])/.test(pattern)) return 'look-around, such as (?=…) or (?<!…), needs an engine whose time has no bound';
  if (/\\(?:[1-9]|k<)/.test(pattern)) return 'a reference back to a group, such as \\1, needs an engine whose time has no bound';
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
}
