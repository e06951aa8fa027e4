import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { builtConsole, type ConsoleChunk } from '../../scripts/console.ts';

const built = join(import.meta.dirname, '../../packages/server/dist/console');
const [maxFirstKb, maxScreenKb] = [250, 60];
/** The screen of a signed-in person who opens the console. */
const firstScreen = /^assets\/(?:shell|inbox)-/;

describe('the built console', () => {
  let chunks: Map<string, ConsoleChunk>;
  let first: Set<string>;
  before(() => {
    chunks = new Map(builtConsole()?.chunks.map((chunk) => [chunk.fileName, chunk]));
    first = loadedWith([...chunks.values()].filter(({ isEntry, fileName }) => isEntry || firstScreen.test(fileName)));
  });

  /** Returns the scripts and styles that some scripts load at once. */
  function loadedWith(entries: readonly ConsoleChunk[], found = new Set<string>()): Set<string> {
    for (const { fileName, imports, styles } of entries) {
      if (found.has(fileName)) continue;
      for (const file of [fileName, ...styles]) found.add(file);
      loadedWith(
        imports.flatMap((name) => chunks.get(name) ?? []),
        found,
      );
    }
    return found;
  }
  const kilobytes = (files: Iterable<string>) =>
    [...files].map((file) => statSync(join(built, `${file}.br`)).size).reduce((sum, size) => sum + size, 0) / 1_000;

  test(`the first screen loads at most ${maxFirstKb} kB, compressed`, () => {
    assert.ok([...first].filter((file) => firstScreen.test(file)).length >= 2, 'the first screen is known');
    const size = kilobytes(first);
    assert.ok(size <= maxFirstKb, `${size} kB`);
  });

  test(`each further part loads at most ${maxScreenKb} kB, compressed`, () => {
    const later = [...new Set([...chunks.values()].flatMap(({ dynamicImports }) => dynamicImports))].flatMap(
      (name) => chunks.get(name) ?? [],
    );
    assert.ok(later.length > 5, 'screens are loaded later');
    for (const chunk of later) {
      const size = kilobytes([...loadedWith([chunk])].filter((file) => !first.has(file)));
      assert.ok(size <= maxScreenKb, `${chunk.fileName}: ${size} kB`);
    }
  });
});
