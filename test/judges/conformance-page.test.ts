import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const textOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** Returns the tools that `.ci/run` and `package.json` pin, with their versions. */
function pins(): Map<string, string> {
  const script = textOf('.ci/run');
  const found = [
    ...script.matchAll(/^(\w+)=([\d.]+)$/gm),
    ...script.matchAll(/([\w-]+)==([\d.]+)/g),
    ...script.matchAll(/([\w-]+|@[\w-]+\/[\w-]+)@v?([\d.]+)/g),
    ...textOf('package.json').matchAll(/"(publint)": "([\d.]+)"/g),
  ];
  return new Map(found.map(([, name = '', version = '']) => [plain(name), version]));
}

test('the page about conformance names the tools and versions of CI', () => {
  const [table = ''] = textOf('docs/reference/conformance.md').split('\n## ');
  const rows = [...table.matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \|/gm)]
    .slice(1)
    .map(([, tool = '', version = '']) => [plain(tool), version]);
  // Debian's package of qpdf has no pinned version, and scim2-cli runs scim2-tester.
  const expected = [...pins(), ['qpdf', 'of Debian']].filter(([name]) => name !== 'scim2cli');
  assert.deepEqual(rows.toSorted(), expected.toSorted());
});
