import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { permissions } from '../src/access/model.ts';
import { domains as listed } from '../src/domains.ts';

/**
 * Which domain may use which, through its front door, as each says in its manifest. Imports point one way,
 * `commands → service or tools → app → domains → platform`, and among domains along this table.
 */
const mayUse: Record<string, readonly string[]> = Object.fromEntries(listed.map(({ name, uses }) => [name, Object.keys(uses)]));
const domains = Object.keys(mayUse);
/** The `index.ts` of each domain, by its specifier. */
const frontDoors: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).imports;
const frontDoorOf = (domain: string) => frontDoors[`#${domain}`]?.slice(2) ?? '';
/** Files that put the parts together: they may import what they compose. */
const composition = /^src\/(?:app|config|domains|listeners|open-database|running-platform|service)\.ts$|^src\/commands\/tools\//;

const files = globSync('src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'));

/** Everything a file imports: statically, for its side effects, dynamically, or for types. */
function importsOf(text: string): string[] {
  const statics = [...text.matchAll(/^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]/gms)].map(([, name = '']) => name);
  const bare = [...text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)].map(([, name = '']) => name);
  const dynamic = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  return [...statics, ...bare, ...dynamic];
}

const areas = ['platform', 'identity', 'access', 'records', 'work', 'intake', 'automation', 'commands'];
const areaOf = (file: string) => file.split('/')[1] ?? '';
/** The domain of a file, or its part of the tree. */
const partOf = (file: string) => /^src\/(?:automation|identity|intake|records|work)\/([\w-]+)\//.exec(file)?.[1] ?? areaOf(file);

/** Why a file may not import what it imports; nothing when it may. */
function layerError(file: string, imported: string): string | undefined {
  const part = partOf(file);
  const domain = domains.includes(part) ? part : undefined;
  if (imported.startsWith('#')) {
    const other = imported.slice(1);
    if (composition.test(file)) return undefined;
    if (!domain) return `${part} knows no domain`;
    return mayUse[domain]?.includes(other) ? undefined : `${domain} may not use ${other}`;
  }
  if (!imported.startsWith('.')) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(file), imported));
  const to = partOf(target);
  if (composition.test(file)) return domains.includes(to) ? 'domains are entered by #name' : undefined;
  if (part === 'platform') return to === 'platform' ? undefined : `the platform knows nothing of ${to}`;
  if (file.startsWith('src/commands/demo/'))
    return target.startsWith('src/commands/demo/') || target.startsWith('clients/typescript/')
      ? undefined
      : 'the demo is a user of the API, by its client';
  if (part === 'commands') return domains.includes(to) ? 'a command works through the service' : undefined;
  return to === domain || to === 'platform' ? undefined : `${domain ?? part} reaches into ${to}: domains meet by #name`;
}

test('imports point one way, and domains meet only along the table', () => {
  const errors = files
    .flatMap((file) => importsOf(readFileSync(file, 'utf8')).map((imported) => [file, imported, layerError(file, imported)] as const))
    .filter(([, , why]) => why);
  assert.deepEqual(
    errors.map(([file, imported, why]) => `${file} imports ${imported}: ${why}`),
    [],
  );
});

/** Imports against the order of the areas, each with its reason. */
const againstTheOrder: Record<string, string> = {
  'access → journal': 'the list of access shows what administrators read by their role, which the journal has',
  'clients → webhooks': 'an API client that ends ends its endpoints',
  'clients → folders': 'an API client is confined to folders',
  'connected-apps → webhooks': 'the guarded connector reads the metadata of an app',
  'document-templates → forms': 'a form makes documents from a template',
  'document-templates → registries': 'a template takes the values of a record',
  'document-templates → signatures': 'a batch asks for signatures of documents from a template',
  'evidence → signatures': 'a pack has the signatures of its document',
  'evidence → tasks': 'a pack has the decisions about its document',
  'evidence → workflows': 'a pack has the workflows of its document',
  'signatures → webhooks': 'the guarded connector asks authorities for timestamps and revocation lists',
  'sso → webhooks': 'the guarded connector asks identity providers',
  'staff → journal': 'staff read the journal of a team',
  'workflows → agents': 'a step runs an agent',
  'workflows → fields': 'conditions of steps are written as those of forms',
  'workflows → webhooks': 'a step calls an endpoint',
  'bookings → webhooks': 'the guarded connector fetches calendars',
  'public-pages → agents': 'a page ends the sign-in at a server of an agent',
};

test('areas import one way, except where a reason is listed', () => {
  const against = files.flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((imported) => imported.startsWith('#') && !composition.test(file))
      .map((imported) => imported.slice(1))
      .filter((other) => areas.indexOf(areaOf(frontDoorOf(other))) > areas.indexOf(areaOf(file)))
      .map((other) => `${partOf(file)} → ${other}`),
  );
  assert.deepEqual([...new Set(against)].toSorted(), Object.keys(againstTheOrder).toSorted());
});

test('the check itself finds what it forbids', () => {
  assert.match(layerError('src/records/folders/service.ts', '#documents') ?? '', /may not use/);
  assert.match(layerError('src/platform/http/server.ts', '../../records/folders/service.ts') ?? '', /knows nothing/);
  assert.match(layerError('src/work/tasks/service.ts', '../workflows/queries.ts') ?? '', /reaches into/);
  assert.deepEqual(importsOf("import 'a';\nimport type { B } from 'b';\nconst c = await import('c');\nexport { d } from 'd';"), [
    'b',
    'd',
    'a',
    'c',
  ]);
});

/** The files of the tree that a file imports, also those for types alone; a domain is entered by its `index.ts`. */
function importedFiles(file: string, text: string): string[] {
  const named = importsOf(text).map((name) => {
    if (name.startsWith('#')) return frontDoorOf(name.slice(1));
    return name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : '';
  });
  return [...new Set(named)];
}

/** The files that are reached from themselves: each stands in a circle. */
function inCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const next = [...(imports.get(start) ?? [])];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (file === start) return true;
      if (seen.has(file)) continue;
      seen.add(file);
      next.push(...(imports.get(file) ?? []));
    }
    return false;
  };
  return [...imports.keys()].filter(reaches).toSorted();
}

test('no file imports itself by way of others, not even for types', () => {
  const imports = new Map(files.map((file) => [file, importedFiles(file, readFileSync(file, 'utf8'))]));
  assert.ok([...imports.values()].flat().filter((one) => imports.has(one)).length > files.length, 'imports are found');
  assert.deepEqual(inCircles(imports), [], 'move what both need to a file of its own');
  const made = { 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['b.ts', 'd.ts'], 'd.ts': ['e.ts'], 'e.ts': ['f.ts'], 'f.ts': ['e.ts'] };
  assert.deepEqual(inCircles(new Map(Object.entries(made))), ['b.ts', 'c.ts', 'e.ts', 'f.ts']);
});

test('each domain stands after those it uses, which leaves no circle, and has a folder with a front door', () => {
  for (const [place, domain] of domains.entries()) {
    for (const used of mayUse[domain] ?? []) assert.ok(domains.slice(0, place).includes(used), `${domain} stands before ${used}`);
    assert.ok(files.includes(frontDoorOf(domain)), `package.json names the index.ts of ${domain}`);
  }
  const folders = new Set(files.map(partOf).filter((part) => !part.endsWith('.ts')));
  assert.deepEqual([...folders].toSorted(), [...domains, 'commands', 'platform'].toSorted(), 'each folder is a domain of the table');
});

test('the service starts without what reads and writes ASN.1', () => {
  /** What a file loads when it is loaded itself: neither its types nor its dynamic imports. */
  const loadedBy = (file: string) => {
    const values = readFileSync(file, 'utf8')
      .replaceAll(/^(?:import|export) type [^;]*;$/gm, '')
      .replaceAll(/\bimport\(/g, '');
    return importsOf(values).includes('pkijs') || importsOf(values).includes('asn1js') ? ['ASN.1'] : importedFiles(file, values);
  };
  const from = new Map<string, string>([['src/service.ts', '']]);
  for (const file of from.keys())
    for (const loaded of files.includes(file) ? loadedBy(file) : []) if (!from.has(loaded)) from.set(loaded, file);
  assert.ok(from.has('src/work/signatures/sealing/index.ts'), 'imports are followed');
  assert.equal(from.get('ASN.1'), undefined);
});

test('SQL stands in queries files alone', () => {
  const sql = /\b(?:SELECT\s[\s\S]{1,200}?\sFROM|INSERT INTO|UPDATE\s+\w+\s+SET|DELETE FROM)\b/;
  const allowed = /queries\.ts$|^src\/platform\/(?:database|journal|http\/idempotency)/;
  const found = files.filter(
    (file) => !allowed.test(file) && sql.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  );
  assert.deepEqual(found, []);
});

test('statements are pipelined by name, and not in a list of promises', () => {
  const list = /Promise\.all(?:Settled)?\(\s*\[(?![^\]]*\]\s*\.map\()/;
  // Of these none sends a statement: keys are read, pipes are too, names are looked up, connections are closed, time is waited for.
  const allowed =
    /^src\/platform\/(?:database\/(?:database|exchanges\/(?:exchanges|team-reads)|embedded-stale-server)|storage\/disk|reading\/sandbox)\.ts$|^src\/platform\/http\/minimum-duration\.ts$|^src\/identity\/keys\/(?:key-ring|new-key)\.ts$|^src\/automation\/webhooks\/addresses\/resolver\.ts$|^src\/identity\/credentials\/keyed-queue\.ts$|^src\/work\/signatures\/verifying\/inspect-file\.ts$/;
  const found = files.filter((file) => list.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    found.filter((file) => !allowed.test(file)),
    [],
    'locked and pipelined are for that (platform/database)',
  );
});

test('only background work, key loading, staff, the operator’s listing and the platform’s database cross teams', () => {
  const found = files.filter((file) => /\.asSystem\(/.test(readFileSync(file, 'utf8')));
  const allowed =
    /jobs\.ts$|^src\/platform\/(?:database|jobs)\/|^src\/identity\/keys\/(?:key-ring|seal\/seal-keys)\.ts$|^src\/identity\/staff\/context\.ts$|^src\/commands\/tools\/definitions\.ts$/;
  assert.deepEqual(
    found.filter((file) => !allowed.test(file)),
    [],
  );
});

/** The tables of access, as the migration creates them. */
const accessTables = [...readFileSync('migrations/0165_access.sql', 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
const namesTable = (text: string, tables: readonly string[]) => new RegExp(String.raw`\b(?:${tables.join('|')})\b`).test(text);

test('only src/access names the tables of access, and each type with grants is in the model', () => {
  assert.ok(accessTables.includes('access_grant') && accessTables.length > 5);
  assert.ok(namesTable('SELECT FROM access_path p', accessTables) && !namesTable('SELECT access_paths($team)', accessTables));
  const named = files.filter((file) => !file.startsWith('src/access/') && namesTable(readFileSync(file, 'utf8'), accessTables));
  assert.deepEqual(named, ['src/platform/database/tables.ts']);
  const migrations = globSync('migrations/*.sql').map((file) => readFileSync(file, 'utf8'));
  const types = migrations.flatMap((text) => [...text.matchAll(/^CALL access_resource_type\('\w+', '(\w+)'\)/gm)].map(([, type]) => type));
  assert.deepEqual(
    types.filter((type) => !Object.hasOwn(permissions, type ?? '')),
    [],
  );
  assert.ok(types.length > 0);
});

/** The declarations of a module at its top level, by name. */
function declarationsOf(text: string): Map<string, string> {
  const parts = text.split(/^(?=(?:export )?(?:const|function) )/m);
  return new Map(parts.map((part) => [/^(?:export )?(?:const|function) (\w+)/.exec(part)?.[1] ?? '', part]));
}

/** The exported texts of SQL of a module that call a function of access or of barriers, themselves or by another text of the module. */
function accessFragments(text: string): string[] {
  const declarations = declarationsOf(text);
  const calls = (name: string, seen: ReadonlySet<string>): boolean => {
    const body = declarations.get(name) ?? '';
    if (/\b(?:access|barrier)_\w+\(|\b(?:open|seen)_barriers\(/.test(body)) return true;
    return [...declarations.keys()].some(
      (other) =>
        other !== '' && !seen.has(other) && new RegExp(String.raw`\b${other}\b`).test(body) && calls(other, new Set(seen).add(other)),
    );
  };
  return [...declarations]
    .filter(([name, body]) => body.startsWith('export ') && !/\b(?:sqlStatement|builtAs)</.test(body) && calls(name, new Set([name])))
    .map(([name]) => name);
}

/** Texts that still cross a domain. Remove an entry after its cause. Add none. */
const crossing: readonly string[] = [
  'documents barrierAroundText',
  'documents emergencyOnlyOfFolderText',
  'documents emergencyOnlyText',
  'documents keptOutText',
  'documents outsideOfFolderText',
  'documents outsideText',
];

test('no text of SQL about access crosses a domain', () => {
  const fragments = files
    .filter((file) => file.endsWith('queries.ts') && domains.includes(partOf(file)) && partOf(file) !== 'access')
    .flatMap((file) => accessFragments(readFileSync(file, 'utf8')).map((name) => `${partOf(file)} ${name}`));
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bimport (?:type )?\{([^}]*)\} from '#([\w-]+)'/g)].flatMap(([, names = '', domain = '']) =>
      names.split(',').map((name) => `${domain} ${name.trim().split(/\s/)[0]}`),
    ),
  );
  assert.ok(imported.includes('access viewerOf'), 'imports are found');
  assert.deepEqual(
    fragments.filter((one) => imported.includes(one) && !crossing.includes(one)),
    [],
  );
  const made = "const inner = 'barrier_of($team, x)';\nexport const byOther = `EXISTS (${inner})`;\nexport const none = 'SELECT 1';\n";
  assert.deepEqual(accessFragments(`${made}export const whole = sqlStatement<One, One>(inner);\n`), ['byOther']);
});

/** A comparison of the relations of a caller with names of relations: a rule that belongs to the model. */
const rule =
  /\brelations\.(?:includes|some)\(|'\w+' = ANY \((?:[\w${}]+\.|access_)?relations|access_(?:resources|containers)\([^)]*'\{|\brelations\)? (?:&&|@>) ('|ARRAY)/;

/** Files that still have one. Remove an entry after its cause. Add none. Those of folders and forms show the level of a share. */
const withRule: readonly string[] = [
  'src/records/documents/giver-queries.ts',
  'src/records/documents/queries.ts',
  'src/records/folders/queries.ts',
  'src/records/folders/tree-queries.ts',
  'src/intake/forms/sharing/shares.ts',
  'src/work/tasks/access.ts',
];

test('a rule of access is in the model: no statement and no code outside of src/access compares relations with names', () => {
  const found = files.filter((file) => !file.startsWith('src/access/') && rule.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    found.filter((file) => !withRule.includes(file)),
    [],
  );
  for (const one of [
    "relations.includes('owner')",
    "'editor' = ANY (${row}.relations)",
    "access_resources($team, $user, true, 'form', '{viewer}')",
  ])
    assert.match(one, rule);
  assert.doesNotMatch("access_resources($team, $user, true, 'form', $viewing::text[])", rule);
});

test('no domain file imports Fastify or the database driver where the house keeps them out', () => {
  const errors = files.flatMap((file) => {
    if (!domains.includes(partOf(file))) return [];
    const imported = importsOf(readFileSync(file, 'utf8'));
    const name = posix.basename(file);
    return [
      ...(name === 'service.ts' && imported.some((one) => one === 'fastify' || one === 'pg' || one.includes('/http/server'))
        ? [`${file}: a service knows no HTTP and no driver`]
        : []),
      ...(name === 'policy.ts' && imported.some((one) => !/platform\/(?:scope|reasons)\.ts$|^#access$/.test(one))
        ? [`${file}: a policy imports nothing but who acts, for what reasons, and the access model`]
        : []),
    ];
  });
  assert.deepEqual(errors, []);
});

/** What stands in files of one name alone, in every domain; but for SQL, a domain that has no file of the name says it in its `index.ts`. */
const roles: [what: string, where: RegExp, written: RegExp][] = [
  ['acts and events', /\/events\.ts$/, /\bdefine(?:Act|Event)\(/],
  ['routes', /\/(?:[\w-]+-)?routes\.ts$/, /\bapp\.(?:get|post|put|patch|delete)\(/],
  ['statements', /\/(?:[\w-]+-)?queries\.ts$/, /\bsqlStatement</],
  ['problem codes', /\/problems\.ts$/, /\bdefineProblems\(/],
];
/** Names that say nothing of what a file holds. */
const empty =
  /\/(?:acts|agenda|common|constants|deps|gathering|helpers?|lines|live|managers?|misc|opening|ports|requests|types|utils?)\.ts$/;
/** Pages for people are no operations: they are written where they are made. */
const isPage = (file: string) => file.startsWith('src/intake/public-pages/');

/** Whether a file is the front door of a domain too small for a file of this role. */
const saysAll = (file: string, what: string, where: RegExp) =>
  what !== 'statements' &&
  /^src\/\w+\/[\w-]+\/index\.ts$/.test(file) &&
  !files.some((one) => partOf(one) === partOf(file) && where.test(one));

test('each role has its file, and each file a name of its own', () => {
  const inDomains = files.filter((file) => domains.includes(partOf(file)));
  const misplaced = inDomains.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return roles
      .filter(([what, where, written]) => written.test(text) && !where.test(file) && !isPage(file) && !saysAll(file, what, where))
      .map(([what]) => `${file}: ${what}`);
  });
  assert.deepEqual(misplaced, []);
  assert.deepEqual(
    inDomains.filter((file) => empty.test(file)),
    [],
  );
});

test('each folder of a domain has an index that says what it is', () => {
  const folders = new Set(files.filter((file) => domains.includes(partOf(file))).map((file) => posix.dirname(file)));
  const silent = [...folders].filter((folder) => {
    const index = files.includes(`${folder}/index.ts`) ? readFileSync(`${folder}/index.ts`, 'utf8') : '';
    return !index.includes('/**') && !folder.startsWith('src/intake/public-pages/');
  });
  assert.deepEqual(silent, []);
});
