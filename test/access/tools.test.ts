import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { loadTools } from '../../src/domains.ts';
import { openStorage } from '../../src/open-storage.ts';
import { scopesOf, type Tool } from '../../src/platform/tools.ts';
import { anyText } from '../arbitraries.ts';
import { asking } from '../asking.ts';
import { type Chancery, sharedChancery, type User } from '../harness.ts';
import { callTool, mcpToken, type ToolOutcome } from '../mcp.ts';
import type { Operation } from '../openapi.ts';
import { seedEverything } from '../seed.ts';
import { seededId, seededPath } from '../suites/isolation.ts';
import { plausible } from '../suites/walk.ts';
import { exhaustive, sample } from '../tier.ts';

/* The MCP tools. Each tool calls one operation and gives no more access than that operation. */

let chancery: Chancery;
let owner: User;
let tools: readonly Tool[];
let seeded: Record<string, string>;
let own: Caller;
const { call: send, made } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team());
  tools = await loadTools({ storage: await openStorage(chancery.config) });
  seeded = await seedEverything(chancery, owner);
  own = await callerOf(owner);
});

/** The tokens of an API client: for operations and for MCP tools. */
type Caller = { token: string; mcp: string };

/** Creates a client with all scopes, or with the scopes that a client with limited folders can have. */
async function callerOf(by: User, folderIds?: string[]): Promise<Caller> {
  const areas = ['folders', 'documents', 'workflows', 'tasks', 'interfaces', 'registries'];
  const client = await chancery.client(by, folderIds && areas.flatMap((area) => [`${area}:read`, `${area}:write`]));
  await made(by, 'PATCH', `/api/v1/security/clients/${client.id}`, { mcpApproval: 'never', ...(folderIds && { folderIds }) });
  return { token: client.token, mcp: await mcpToken(chancery, client) };
}

/** Calls a tool as the team’s client. Throws the error code if the tool fails. */
async function call(name: string, input: object): Promise<any> {
  const { code, value } = await callTool(chancery, own.mcp, name, input);
  if (code !== 'ok') throw Object.assign(new Error(`${name}: ${code}`), { code });
  return value;
}
const refusal = (code: string) => (error: any) => error.code === code;

const operationOf = ({ name, operation }: Tool): Operation => {
  const found = chancery.description.operations.find(({ id }) => id === operation);
  assert.ok(found, `${name} names ${operation}`);
  return found;
};

test('each tool has the scopes of its operation, and is read-only if the operation is', () => {
  for (const tool of tools) {
    const operation = operationOf(tool);
    assert.deepEqual(scopesOf(tool), [...operation.scopes], tool.name);
    assert.equal(tool.mutating, operation.method !== 'GET', tool.name);
    assert.equal(operation.personal, false, tool.name);
  }
});

const upload = (bytes: string | Uint8Array<ArrayBuffer>, type: string, members: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'Agreement', ...members })) form.set(name, value);
  form.set('file', new Blob([bytes], { type }), 'agreement');
  return made(owner, 'POST', '/api/v1/smartdoc/documents/', form);
};

test('a tool reads the text of a version in parts without splitting a character, and the journal records the access', async () => {
  const text = `${'Ärger 🏴‍☠️ 東京 — '.repeat(400)}end`;
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const [bytes, type] of [
    [text, 'text/markdown'],
    [`\ufeff${text}`, 'application/octet-stream'],
    [new Uint8Array(utf16), 'text/plain'],
    [new Uint8Array(Buffer.from(utf16).swap16()), 'application/json'],
  ] as const) {
    const { id } = await upload(bytes, type);
    for (const size of [1_024, 1_025, 1_026, 1_027, 131_072]) {
      const parts: any[] = [];
      for (let from: number | undefined = 0; from !== undefined; from = parts.at(-1).next)
        parts.push(await call('read_document_text', { id, from, bytes: size }));
      assert.equal(parts.map((part) => part.text).join(''), text, `${type} by ${size}`);
      assert.equal(parts.at(-1).to, parts[0].size);
    }
    const inside = await call('read_document_text', { id, from: 9, bytes: 1_024 });
    assert.ok(text.includes(inside.text) && inside.from >= 8 && inside.from < 13, `${type} ${inside.from}`);
    assert.deepEqual((await call('read_document_text', { id, from: 1_000_000 })).text, '');
    const { rows } = await chancery.pool.query(
      "SELECT DISTINCT actor_type FROM audit_entry WHERE type = 'document.content_read' AND target_id = $1",
      [id],
    );
    assert.deepEqual(rows, [{ actor_type: 'client' }]);
  }
});

test('a binary document is not read as text, and a missing version is not found', async () => {
  const pdf = await upload('%PDF-1.7 walked', 'application/pdf');
  await assert.rejects(call('read_document_text', { id: pdf.id }), refusal('document_not_text'));
  for (const bytes of [
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
    new Uint8Array([0x61, 0, 0x62]),
    new Uint8Array([0xff, 0xfe, 0x3d, 0xd8]),
  ]) {
    const { id } = await upload(bytes, 'text/plain');
    await assert.rejects(call('read_document_text', { id }), refusal('document_not_text'));
    await assert.rejects(call('read_document_text', { id, version: 2 }), refusal('not_found'));
    const { rows } = await chancery.pool.query("SELECT id FROM audit_entry WHERE type = 'document.content_read' AND target_id = $1", [id]);
    assert.deepEqual(rows, [], 'the journal has no entry for a failed read');
  }
  const { id } = await chancery.document(owner);
  await assert.rejects(call('read_document_text', { id }), refusal('document_has_no_file'));
});

test('tools create, find and read records; lists continue at the next page', async () => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const { id: registryId } = await made(owner, 'POST', '/api/v1/registries/', { name: 'Parties', fields });
  const names = ['Ada', 'Grace', 'Lise'];
  for (const name of names) await call('create_registry_record', { registryId, data: { name } });
  const seen: any[] = [];
  let next: string | undefined;
  do {
    const page = await call('search_registry_records', { registryId, limit: 2, ...(next && { cursor: next }) });
    seen.push(...page.items);
    assert.equal(page.more, page.nextCursor !== undefined);
    next = page.nextCursor;
  } while (next !== undefined);
  assert.deepEqual(
    seen.map(({ data }) => data.name),
    names,
  );
  const [found] = (await call('search_registry_records', { registryId, filter: ['name:eq:Grace'] })).items;
  assert.deepEqual(await call('get_registry_record', { registryId, id: found.id }), found);
  assert.equal(found.createdByType, 'client');
  await assert.rejects(call('create_registry_record', { registryId, data: { name: 7 } }), refusal('registry_record_invalid'));
  for (const list of [
    'search_documents',
    'list_folders',
    'list_tasks',
    'list_workflows',
    'list_registries',
    'list_interfaces',
    'search_audit_journal',
  ])
    await assert.rejects(call(list, { cursor: 'nowhere' }), refusal('validation_failed'), list);
  await assert.rejects(call('list_tasks', { assignee: owner.id }), refusal('validation_failed'), 'unknown filter');
});

/** The query of a tool that only searches: a word in the titles of the resources of this file. */
const searchedFor = ({ input }: Tool) => (input.required?.includes('q') ? { q: 'in' } : {});

/** Returns tool arguments that name the seeded resources. */
function argsFor(tool: Tool, operation: Operation): Record<string, unknown> {
  const names: string[] = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const known: Record<string, string> = { registryId: seeded['/api/v1/registries'] ?? '', interfaceId: seeded['/api/v1/interfaces'] ?? '' };
  const ids = Object.keys(tool.input.properties).filter((name) => name === 'id' || name in known);
  const named = ids.map((name) => [name, name === 'id' ? seededId(seeded, operation.path, names.at(-1) ?? '') : known[name]]);
  return {
    ...plausible({ ...tool.input, required: tool.input.required ?? [] }),
    ...Object.fromEntries(named),
    ...('limit' in tool.input.properties ? { limit: 50 } : {}),
    ...searchedFor(tool),
  };
}

/** Calls the operation of the tool with the same arguments. */
async function asOperation(caller: Caller, tool: Tool, operation: Operation): Promise<{ code: string; body: any; text: string }> {
  const path = seededPath(seeded, operation.path);
  const searchInput = { ...('limit' in tool.input.properties ? { limit: '50' } : {}), ...searchedFor(tool) };
  const query = `?${new URLSearchParams(searchInput).toString()}`;
  const { status, body, text } = await send(
    caller,
    operation.method,
    `${path}${query}`,
    operation.hasBody ? plausible(operation.body) : undefined,
  );
  return { code: status < 300 ? 'ok' : body.code, body, text };
}

const byId = (list: any[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const things = async (folder: string) => {
  const document = await chancery.document(owner, { title: `In ${folder}`, folderId: folder });
  await made(owner, 'POST', '/api/v1/tasks/', { title: `In ${folder}`, documentId: document.id });
  const steps = [{ id: 'a', type: 'task' }];
  await made(owner, 'POST', '/api/v1/workflows/', { name: `In ${folder}`, documentId: document.id, steps });
};

test('a tool returns the same as its operation to each caller, and shows nothing of another team or other folders', async () => {
  const inside = seeded['/api/v1/smartdoc/folders'] ?? '';
  const outside = (await chancery.folder(owner)).id;
  await things(inside);
  await things(outside);
  const callers: Record<string, Caller> = {
    'the team’s': own,
    'another team’s': await callerOf((await chancery.team()).owner),
    'one inside': await callerOf(owner, [inside]),
    'one outside': await callerOf(owner, [outside]),
  };
  const wrong: string[] = [];
  const codes = new Map<string, Set<string>>();
  for (const tool of sample(tools, 0.15, nameOf)) {
    const operation = operationOf(tool);
    const args = argsFor(tool, operation);
    for (const [who, caller] of Object.entries(callers)) {
      const said = await asOperation(caller, tool, operation);
      const outcome: ToolOutcome = await callTool(chancery, caller.mcp, tool.name, args);
      codes.set(who, (codes.get(who) ?? new Set()).add(`${tool.name} ${outcome.code}`));
      const say = (what: string) => wrong.push(`${tool.name} to ${who}: ${what}`);
      // The operation sends the bytes of a binary file.
      const code = outcome.code === 'document_not_text' ? 'ok' : outcome.code;
      if (said.code !== code) say(`${outcome.code} instead of ${said.code}`);
      // Not compared: created resources, because two exist; files, because the operation sends bytes; the journal, because it has grown.
      else if (outcome.code === 'ok' && !tool.mutating && !/download|Journal/.test(tool.operation))
        try {
          assert.deepEqual(
            Array.isArray(said.body) ? byId(outcome.value.items) : outcome.value,
            Array.isArray(said.body) ? byId(said.body) : said.body,
          );
        } catch (error) {
          say((error as Error).message);
        }
      // The other team’s journal contains the ids that this client named itself.
      if (who === 'another team’s' && tool.name !== 'search_audit_journal') {
        const shown = Object.values(seeded).filter((id) => !JSON.stringify(args).includes(id) && outcome.answer.text.includes(id));
        if (shown.length > 0) say(`shows ${shown.join()}`);
      }
      if (who === 'one outside' && outcome.answer.text.includes(`In ${inside}`)) say('shows a resource outside its folders');
    }
  }
  assert.deepEqual(wrong, []);
  if (!exhaustive) return;
  for (const [who, at] of [
    ['the team’s', (code: string) => code.endsWith(' ok')],
    ['another team’s', (code: string) => code.endsWith(' not_found')],
    ['one outside', (code: string) => /(not_found|insufficient_scope)$/.test(code)],
  ] as const)
    assert.ok([...(codes.get(who) ?? [])].filter(at).length >= 10, `${who}: ${[...(codes.get(who) ?? [])].join(', ')}`);
});

test('a tool is denied if one of its scopes is missing', async () => {
  const allScopes = [...new Set(tools.flatMap(scopesOf))];
  for (const lacking of allScopes) {
    const rest = allScopes.filter((scope) => scope !== lacking);
    const token = await mcpToken(chancery, await chancery.client(owner, rest));
    for (const tool of tools.filter((one) => scopesOf(one).includes(lacking))) {
      const { code, answer } = await callTool(chancery, token, tool.name, argsFor(tool, operationOf(tool)));
      assert.deepEqual([answer.status, code], [403, 'insufficient_scope'], `${tool.name} without ${lacking}`);
    }
  }
});

const nameOf = (tool: (typeof tools)[number]) => `${operationOf(tool).method} ${operationOf(tool).path}`;

const odd = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '../../etc/passwd',
    "' OR 1=1 --",
    'null',
    '-1',
    '9'.repeat(40),
    'a'.repeat(5_000),
    '__proto__',
    '\ud800',
  ),
  fc.uuid(),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  odd,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(odd, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 8 }), odd, { maxKeys: 3 }),
);

test('no tool arguments cause an internal error', { timeout: 600_000 }, async () => {
  for (const tool of sample(tools, 0.1, nameOf)) {
    const good = argsFor(tool, operationOf(tool));
    const names = Object.keys(tool.input.properties);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names, 'other'), value, { maxKeys: 3 }),
        fc.subarray(names),
        async (changed, dropped) => {
          const args: Record<string, unknown> = { ...good, ...changed };
          for (const name of dropped) if (!(name in changed)) delete args[name];
          const { code, answer } = await callTool(chancery, own.mcp, tool.name, args);
          const isServerError = answer.status >= 500 || answer.body.result?.structuredContent?.status >= 500 || /-32603/.test(code);
          assert.ok(!isServerError, `${tool.name} ${JSON.stringify(args)}: ${answer.text}`);
        },
      ),
      { numRuns: 12 },
    );
  }
});
