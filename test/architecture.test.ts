import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { permissions } from '../src/access/model.ts';
import { domains as listed } from '../src/domains.ts';

/**
 * The domains that each domain may import through its `index.ts`, from its manifest. Imports go in one direction: `commands → service or tools → app
 * → domains → platform`, and between domains as in this table.
 */
const mayUse: Record<string, readonly string[]> = Object.fromEntries(listed.map(({ name, uses }) => [name, Object.keys(uses)]));
const domains = Object.keys(mayUse);
/** The `index.ts` of each domain, by its specifier. */
const frontDoors: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).imports;
const frontDoorOf = (domain: string) => frontDoors[`#${domain}`]?.slice(2) ?? '';
/** Files that assemble the service. They may import every part. */
const composition =
  /^src\/(?:app|config|domains|listeners|open-database|running-platform|schema-wait|service)\.ts$|^src\/commands\/tools\//;

const files = globSync('src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'));

/** Returns all imports of a file: static, side-effect, dynamic and type imports. */
function importsOf(text: string): string[] {
  const statics = [...text.matchAll(/^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]/gms)].map(([, name = '']) => name);
  const bare = [...text.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)].map(([, name = '']) => name);
  const dynamic = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  return [...statics, ...bare, ...dynamic];
}

const areas = ['platform', 'identity', 'access', 'records', 'work', 'intake', 'automation', 'commands'];
const areaOf = (file: string) => file.split('/')[1] ?? '';
/** Returns the domain of a file, or its folder of `src`. */
const partOf = (file: string) => /^src\/(?:automation|identity|intake|records|work)\/([\w-]+)\//.exec(file)?.[1] ?? areaOf(file);

/** Returns why a file may not have an import, or undefined if it may. */
function layerError(file: string, imported: string): string | undefined {
  const part = partOf(file);
  const domain = domains.includes(part) ? part : undefined;
  if (imported.startsWith('#')) {
    const other = imported.slice(1);
    if (composition.test(file)) return undefined;
    if (!domain) return `${part} imports no domain`;
    return mayUse[domain]?.includes(other) ? undefined : `${domain} may not use ${other}`;
  }
  if (!imported.startsWith('.')) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(file), imported));
  const to = partOf(target);
  if (composition.test(file)) return domains.includes(to) ? 'import a domain by its #name' : undefined;
  if (part === 'platform') return to === 'platform' ? undefined : `the platform does not import ${to}`;
  if (file.startsWith('src/commands/demo/'))
    return target.startsWith('src/commands/demo/') || target === 'src/platform/entry-points.ts'
      ? undefined
      : 'the demo uses the API through its client';
  if (part === 'commands') return domains.includes(to) ? 'a command uses the service' : undefined;
  return to === domain || to === 'platform'
    ? undefined
    : `${domain ?? part} imports an inner file of ${to}: import the domain by its #name`;
}

test('imports go in one direction, and domains import each other only as the table allows', () => {
  const errors = files
    .flatMap((file) => importsOf(readFileSync(file, 'utf8')).map((imported) => [file, imported, layerError(file, imported)] as const))
    .filter(([, , why]) => why);
  assert.deepEqual(
    errors.map(([file, imported, why]) => `${file} imports ${imported}: ${why}`),
    [],
  );
});

/** Imports against the order of the areas, with the reason for each. */
const againstTheOrder: Record<string, string> = {
  'access → journal': 'the access list shows the privileged access of administrators, which the journal stores',
  'clients → webhooks': 'deleting an API client deletes its endpoints',
  'clients → folders': 'an API client can be restricted to folders',
  'connected-apps → webhooks': 'the guarded connector reads the metadata of an app',
  'directories → access': 'a directory manages groups',
  'document-templates → fields': 'the values of a document have the names of their schema',
  'document-templates → forms': 'a form creates documents from a template',
  'document-templates → registries': 'a template reads the values of a record',
  'document-templates → workflows': 'a step makes a document from a template',
  'document-templates → signatures': 'a batch requests signatures for documents from a template',
  'evidence → signatures': 'a pack contains the signatures of its document',
  'evidence → tasks': 'a pack contains the decisions about its document',
  'evidence → workflows': 'a pack contains the workflows of its document',
  'matters → registries': 'a matter contains registries',
  'matters → signatures': 'closing a matter voids its signature requests',
  'matters → tasks': 'a deadline creates a task',
  'matters → workflows': 'closing a matter cancels its workflows',
  'matters → working-time': 'deadlines count working days',
  'signature-batches → fields': 'the columns of a file have the names of a schema',
  'signatures → webhooks': 'the guarded connector requests timestamps and revocation lists',
  'sso → webhooks': 'the guarded connector sends requests to identity providers',
  'staff → journal': 'staff members read the journal of a team',
  'approvals → fields': 'conditions of policies have the syntax of form conditions',
  'workflows → agents': 'a step runs an agent',
  'workflows → fields': 'step conditions have the syntax of form conditions',
  'workflows → webhooks': 'a step calls an endpoint',
  'bookings → webhooks': 'the guarded connector fetches calendars',
  'public-pages → agents': 'a page completes the sign-in at the MCP server of an agent',
};

test('areas import in one direction, except for the listed imports', () => {
  const against = files.flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((imported) => imported.startsWith('#') && !composition.test(file))
      .map((imported) => imported.slice(1))
      .filter((other) => areas.indexOf(areaOf(frontDoorOf(other))) > areas.indexOf(areaOf(file)))
      .map((other) => `${partOf(file)} → ${other}`),
  );
  assert.deepEqual([...new Set(against)].toSorted(), Object.keys(againstTheOrder).toSorted());
});

test('the import check finds a forbidden import', () => {
  assert.match(layerError('src/records/folders/service.ts', '#documents') ?? '', /may not use/);
  assert.match(layerError('src/platform/http/server.ts', '../../records/folders/service.ts') ?? '', /does not import/);
  assert.match(layerError('src/work/tasks/service.ts', '../workflows/queries.ts') ?? '', /imports an inner file/);
  assert.deepEqual(importsOf("import 'a';\nimport type { B } from 'b';\nconst c = await import('c');\nexport { d } from 'd';"), [
    'b',
    'd',
    'a',
    'c',
  ]);
});

/** Returns the files that a file imports, type imports included. The import of a domain is its `index.ts`. */
function importedFiles(file: string, text: string): string[] {
  const named = importsOf(text).map((name) => {
    if (name.startsWith('#')) return frontDoorOf(name.slice(1));
    return name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : '';
  });
  return [...new Set(named)];
}

/** Returns the files that are part of an import cycle. */
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

test('no file is part of an import cycle, type imports included', () => {
  const imports = new Map(files.map((file) => [file, importedFiles(file, readFileSync(file, 'utf8'))]));
  assert.ok([...imports.values()].flat().filter((one) => imports.has(one)).length > files.length, 'the check finds imports');
  assert.deepEqual(inCircles(imports), [], 'move the shared code to a separate file');
  const made = { 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['b.ts', 'd.ts'], 'd.ts': ['e.ts'], 'e.ts': ['f.ts'], 'f.ts': ['e.ts'] };
  assert.deepEqual(inCircles(new Map(Object.entries(made))), ['b.ts', 'c.ts', 'e.ts', 'f.ts']);
});

test('each domain comes after the domains that it uses, so there is no cycle, and has a folder with an index.ts', () => {
  for (const [place, domain] of domains.entries()) {
    for (const used of mayUse[domain] ?? []) assert.ok(domains.slice(0, place).includes(used), `${domain} comes before ${used}`);
    assert.ok(files.includes(frontDoorOf(domain)), `package.json names the index.ts of ${domain}`);
  }
  const folders = new Set(files.map(partOf).filter((part) => !part.endsWith('.ts')));
  assert.deepEqual([...folders].toSorted(), [...domains, 'commands', 'platform'].toSorted(), 'each folder is a domain of the table');
});

test('the service starts without the ASN.1 modules', () => {
  /** Returns the files that a file loads when it is loaded: all imports except type and dynamic imports. */
  const loadedBy = (file: string) => {
    const values = readFileSync(file, 'utf8')
      .replaceAll(/^(?:import|export) type [^;]*;$/gm, '')
      .replaceAll(/\bimport\(/g, '');
    return importsOf(values).includes('pkijs') || importsOf(values).includes('asn1js') ? ['ASN.1'] : importedFiles(file, values);
  };
  const from = new Map<string, string>([['src/service.ts', '']]);
  for (const file of from.keys())
    for (const loaded of files.includes(file) ? loadedBy(file) : []) if (!from.has(loaded)) from.set(loaded, file);
  assert.ok(from.has('src/work/signatures/sealing/index.ts'), 'the check follows imports');
  assert.equal(from.get('ASN.1'), undefined);
});

test('only queries files contain SQL', () => {
  const sql = /\b(?:SELECT\s[\s\S]{1,200}?\sFROM|INSERT INTO|UPDATE\s+\w+\s+SET|DELETE FROM)\b/;
  const allowed = /queries\.ts$|^src\/platform\/(?:database|journal|http\/idempotency)/;
  const found = files.filter(
    (file) => !allowed.test(file) && sql.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  );
  assert.deepEqual(found, []);
});

test('statements are pipelined in objects with names, not in lists of promises', () => {
  const list = /Promise\.all(?:Settled)?\(\s*\[(?![^\]]*\]\s*\.map\()/;
  // These calls send no statement: they read keys or pipes, look up names, close connections or wait.
  const allowed =
    /^src\/platform\/(?:database\/(?:database|exchanges\/(?:exchanges|team-reads)|embedded-stale-server)|storage\/disk|reading\/sandbox)\.ts$|^src\/platform\/http\/minimum-duration\.ts$|^src\/identity\/keys\/(?:key-ring|new-key)\.ts$|^src\/automation\/webhooks\/addresses\/resolver\.ts$|^src\/identity\/credentials\/keyed-queue\.ts$|^src\/work\/signatures\/verifying\/inspect-file\.ts$/;
  const found = files.filter((file) => list.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    found.filter((file) => !allowed.test(file)),
    [],
    'use underLock and pipelined instead (platform/database)',
  );
});

test('only background work, key loading, staff, the listing for the operator and the platform database read several teams', () => {
  const found = files.filter((file) => /\.asSystem\(/.test(readFileSync(file, 'utf8')));
  const allowed =
    /jobs\.ts$|^src\/platform\/(?:database|jobs)\/|^src\/identity\/keys\/(?:key-ring|seal\/seal-keys)\.ts$|^src\/identity\/staff\/context\.ts$|^src\/commands\/tools\/definitions\.ts$/;
  assert.deepEqual(
    found.filter((file) => !allowed.test(file)),
    [],
  );
});

/** The access tables that the migration creates. */
const accessTables = [...readFileSync('migrations/0165_access.sql', 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
const namesTable = (text: string, tables: readonly string[]) => new RegExp(String.raw`\b(?:${tables.join('|')})\b`).test(text);

test('only src/access names the access tables, and the model has each type with grants', () => {
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

/** Returns the top-level declarations of a module, by name. */
function declarationsOf(text: string): Map<string, string> {
  const parts = text.split(/^(?=(?:export )?(?:const|function) )/m);
  return new Map(parts.map((part) => [/^(?:export )?(?:const|function) (\w+)/.exec(part)?.[1] ?? '', part]));
}

/**
 * Returns the exported SQL fragments of a module that call a function of access or of barriers, directly or through another fragment of the module.
 */
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

/** SQL fragments that domains still share. Remove an entry after its cause. Add none. */
const crossing: readonly string[] = [
  'documents barrierAroundText',
  'documents emergencyOnlyOfFolderText',
  'documents emergencyOnlyText',
  'documents keptOutText',
  'documents outsideOfFolderText',
  'documents outsideText',
];

test('domains share no SQL fragments about access', () => {
  const fragments = files
    .filter((file) => file.endsWith('queries.ts') && domains.includes(partOf(file)) && partOf(file) !== 'access')
    .flatMap((file) => accessFragments(readFileSync(file, 'utf8')).map((name) => `${partOf(file)} ${name}`));
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bimport (?:type )?\{([^}]*)\} from '#([\w-]+)'/g)].flatMap(([, names = '', domain = '']) =>
      names.split(',').map((name) => `${domain} ${name.trim().split(/\s/)[0]}`),
    ),
  );
  assert.ok(imported.includes('access viewerOf'), 'the check finds imports');
  assert.deepEqual(
    fragments.filter((one) => imported.includes(one) && !crossing.includes(one)),
    [],
  );
  const made = "const inner = 'barrier_of($team, x)';\nexport const byOther = `EXISTS (${inner})`;\nexport const none = 'SELECT 1';\n";
  assert.deepEqual(accessFragments(`${made}export const whole = sqlStatement<One, One>(inner);\n`), ['byOther']);
});

/** Matches a comparison of the relations of a caller with relation names. Such a rule belongs to the model. */
const rule =
  /\brelations\.(?:includes|some)\(|'\w+' = ANY \((?:[\w${}]+\.|access_)?relations|access_(?:resources|containers)\([^)]*'\{|\brelations\)? (?:&&|@>) ('|ARRAY)/;

/** Files that still have such a comparison. Remove an entry after its cause. Add none. The entries of folders and forms show the level of a share. */
const withRule: readonly string[] = [
  'src/records/documents/giver-queries.ts',
  'src/records/documents/queries.ts',
  'src/records/folders/queries.ts',
  'src/records/folders/tree-queries.ts',
  'src/intake/forms/sharing/shares.ts',
  'src/work/tasks/access.ts',
];

test('access rules are in the model: outside of src/access, no statement and no code compares relations with names', () => {
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

test('domain files import neither Fastify nor the database driver, except in the allowed files', () => {
  const errors = files.flatMap((file) => {
    if (!domains.includes(partOf(file))) return [];
    const imported = importsOf(readFileSync(file, 'utf8'));
    const name = posix.basename(file);
    return [
      ...(name === 'service.ts' && imported.some((one) => one === 'fastify' || one === 'pg' || one.includes('/http/server'))
        ? [`${file}: a service imports neither HTTP nor a driver`]
        : []),
      ...(name === 'policy.ts' && imported.some((one) => !/platform\/(?:scope|reasons)\.ts$|^#access$/.test(one))
        ? [`${file}: a policy imports only the actor, the access reasons and the access model`]
        : []),
    ];
  });
  assert.deepEqual(errors, []);
});

/**
 * Declarations that may only be in files of one name, in every domain. A domain without such a file may have them in its `index.ts`, except for SQL.
 */
const roles: [what: string, where: RegExp, written: RegExp][] = [
  ['audit actions and events', /\/events\.ts$/, /\bdefine(?:Act|Event)\(/],
  ['routes', /\/(?:[\w-]+-)?routes\.ts$/, /\bapp\.(?:get|post|put|patch|delete)\(/],
  ['statements', /\/(?:[\w-]+-)?queries\.ts$/, /\bsqlStatement</],
  ['problem codes', /\/problems\.ts$/, /\bdefineProblems\(/],
];
/** File names that do not describe the content. */
const empty =
  /\/(?:acts|agenda|common|constants|deps|gathering|helpers?|lines|live|managers?|misc|opening|ports|requests|types|utils?)\.ts$/;
/** Public pages are not API operations: a page is declared in the file that renders it. */
const isPage = (file: string) => file.startsWith('src/intake/public-pages/');

/** Tells whether a file is the `index.ts` of a domain that is too small for a file of this role. */
const saysAll = (file: string, what: string, where: RegExp) =>
  what !== 'statements' &&
  /^src\/\w+\/[\w-]+\/index\.ts$/.test(file) &&
  !files.some((one) => partOf(one) === partOf(file) && where.test(one));

test('each kind of declaration is in its file, and each file has a descriptive name', () => {
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

test('the index.ts of each domain folder describes the domain', () => {
  const folders = new Set(files.filter((file) => domains.includes(partOf(file))).map((file) => posix.dirname(file)));
  const silent = [...folders].filter((folder) => {
    const index = files.includes(`${folder}/index.ts`) ? readFileSync(`${folder}/index.ts`, 'utf8') : '';
    return !index.includes('/**') && !folder.startsWith('src/intake/public-pages/');
  });
  assert.deepEqual(silent, []);
});
