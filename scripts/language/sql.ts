/** Reads a migration: its comments and the names that it uses. */
import type { Passage } from './prose.ts';

/** The comments as passages. Comments that fill consecutive lines are one passage. */
export function sqlComments(file: string, sql: string): Passage[] {
  const passages: Passage[] = [];
  let continues = false;
  for (const [at, row] of sql.split('\n').entries()) {
    const [, before = '', text] = /^((?:[^'-]|-(?!-)|'(?:[^']|'')*')*)--(.*)$/.exec(row) ?? [];
    const last = passages.at(-1);
    const alone = text !== undefined && before.trim() === '';
    if (alone && continues && last) last.text += `\n${text}`;
    else if (text !== undefined) passages.push({ file, line: at + 1, text });
    continues = alone;
  }
  return passages;
}

/** The distinct names with the line of their first use. */
export function sqlNames(sql: string): { name: string; line: number }[] {
  const bare = sql.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, (text) => text.replace(/[^\n]/g, ''));
  const first = new Map<string, number>();
  for (const [at, row] of bare.split('\n').entries())
    for (const [name] of row.matchAll(/\b[a-z][a-z0-9_]*\b/g)) if (!first.has(name)) first.set(name, at + 1);
  return [...first].map(([name, line]) => ({ name, line }));
}
