import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { describeSettings } from '../src/config.ts';

const known = new Set(describeSettings().flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])));
const guide = readFileSync('docs/operate/deploy.md', 'utf8');
/** The files that the commands of the guide write. */
const written = new Set(Array.from(guide.matchAll(/> secrets\/([\w-]+)/g), ([, name = '']) => name));

describe('deploy/compose.yaml', () => {
  type Service = { environment?: Record<string, string>; secrets?: string[]; volumes?: string[]; read_only?: boolean };
  const file = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true });
  const services: Record<string, Service> = file.services;
  const own = ['migrate', 'api', 'worker'].map((name): [string, Service] => [name, services[name] ?? {}]);

  test('sets settings that exist, with a read-only root', () => {
    for (const [name, { environment = {}, read_only: isReadOnly }] of own) {
      assert.deepEqual(
        Object.keys(environment).filter((setting) => !known.has(setting)),
        [],
        name,
      );
      assert.ok('MASTER_KEY_FILE' in environment && 'DATABASE_URL_FILE' in environment && isReadOnly, name);
    }
  });

  test('gives each service the secrets that it reads, and the guide writes all of them', () => {
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(services))
      for (const value of Object.values(environment).filter((one) => one.startsWith('/run/secrets/')))
        assert.ok(secrets.includes(value.slice('/run/secrets/'.length)), `${name}: ${value}`);
    for (const { secrets = [] } of Object.values(services)) for (const name of secrets) assert.ok(name in file.secrets, name);
    for (const [name, secret] of Object.entries(file.secrets)) {
      assert.deepEqual(secret, { file: `./secrets/${name}` });
      assert.ok(written.has(name), `the guide does not write ${name}`);
    }
  });

  test('declares each named volume', () => {
    const used = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    assert.deepEqual([...new Set(used.filter((name) => !name.startsWith('.')))].toSorted(), Object.keys(file.volumes).toSorted());
  });
});

test('deploy/chancery@.service sets settings that exist, and reads loaded credentials that the guide writes', () => {
  const unit = readFileSync('deploy/chancery@.service', 'utf8');
  const set = Array.from(unit.matchAll(/^Environment=(.*)$/gm), ([, line = '']) => line.split(' ').map((one) => one.split('='))).flat();
  assert.deepEqual(
    set.map(([name = '']) => name).filter((name) => !known.has(name)),
    ['PATH'],
  );
  const read = set.map(([, value = '']) => value).filter((value) => value.startsWith('%d/'));
  const loaded = Array.from(unit.matchAll(/^LoadCredential=([\w-]+):\/etc\/chancery\/secrets\/([\w-]+)$/gm), ([, id = '', file = '']) => ({
    id,
    file,
  }));
  assert.deepEqual(read.toSorted(), loaded.map(({ id }) => `%d/${id}`).toSorted());
  for (const { id, file } of loaded) assert.ok(id === file && written.has(file), id);
});

test('deploy/Dockerfile sets settings that exist and installs the version of this tree', () => {
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  const [, block = ''] = /\nENV ((?:.*\\\n)*.*)/.exec(dockerfile) ?? [];
  const names = Array.from(block.matchAll(/(\w+)=/g), ([, name = '']) => name);
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    ['PATH'],
  );
  const { version } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));
  assert.match(dockerfile, new RegExp(`^ARG VERSION=${version}$`, 'm'));
  assert.ok(readFileSync('deploy/compose.yaml', 'utf8').includes(`VERSION:-${version}}`));
});
