import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/arbitraries.ts';
import { Problem } from '../../../platform/problems.ts';
import { changedUser, details, readUser, type UserState } from './attributes.ts';
import { readFilter } from './filter.ts';
import { readGroup, readGroupPatch, readUserPatch } from './patch.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const id = '019aa0de-7c1f-7d63-9d57-0b7c0d5e4d04';
const before: UserState = { userName: 'a@b.example', externalId: 'x', active: true, email: undefined, details: { title: 'Judge' } };
const patched = (...Operations: unknown[]) => changedUser(before, readUserPatch({ Operations }));
const scimType = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.members.scimType;
    throw error;
  }
  return 'accepted';
};

test('a PATCH is read in the forms of Entra ID and Okta', () => {
  const cases: [unknown, Partial<UserState>][] = [
    [{ op: 'replace', value: { active: false } }, { active: false }],
    [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'n@e.example' }, { email: 'n@e.example' }],
    [{ op: 'Replace', path: 'emails[primary eq true].value', value: 'n@e.example' }, { email: 'n@e.example' }],
    [
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: 'h@e.example', type: 'home' },
          { value: 'w@e.example', type: 'work' },
        ],
      },
      { email: 'w@e.example' },
    ],
    [{ op: 'Replace', path: 'emails[type eq "home"].value', value: 'h@e.example' }, { email: undefined }],
    [{ op: 'replace', path: 'USERNAME', value: 'c@b.example' }, { userName: 'c@b.example' }],
    [
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'Q' },
      { details: { title: 'Judge', familyName: 'Q' } },
    ],
    [
      {
        op: 'Replace',
        value: { 'name.givenName': 'Bea', [`${enterprise}:department`]: 'Legal', 'emails[type eq "work"].value': 'q@e.example' },
      },
      { email: 'q@e.example', details: { title: 'Judge', givenName: 'Bea', department: 'Legal' } },
    ],
    [{ op: 'Add', path: `${enterprise}:manager`, value: '261' }, { details: { title: 'Judge', manager: '261' } }],
    [{ op: 'Add', path: `${enterprise}:manager`, value: { value: '261' } }, { details: { title: 'Judge', manager: '261' } }],
    [
      { op: 'add', value: { [enterprise]: { employeeNumber: '7', manager: { value: '9' } } } },
      { details: { title: 'Judge', employeeNumber: '7', manager: '9' } },
    ],
    [{ op: 'remove', path: 'title' }, { details: {} }],
    [{ op: 'replace', value: { id: '2', active: true, schemas: [] } }, {}],
    [{ op: 'replace', value: { password: 'x' } }, {}],
    [{ op: 'Add', path: 'roles', value: [{ value: 'a' }] }, {}],
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }, {}],
    [{ op: 'remove', path: 'externalId' }, { externalId: undefined }],
  ];
  for (const [operation, expected] of cases) assert.deepEqual(patched(operation), { ...before, ...expected }, JSON.stringify(operation));
});

test('a wrong PATCH is rejected with the type of its error', () => {
  const many = Array.from({ length: 101 }, () => ({ op: 'replace', value: { active: true } }));
  const cases: [unknown, string][] = [
    [{ Operations: [{ op: 'replace', path: 'id', value: '2' }] }, 'mutability'],
    [{ Operations: [{ op: 'add', path: '__proto__.polluted', value: 'y' }] }, 'invalidPath'],
    [{ Operations: [{ op: 'add', path: 'constructor.prototype.polluted', value: 'y' }] }, 'invalidPath'],
    [{ Operations: [{ op: 'add', value: { 'constructor.prototype.polluted': 'y' } }] }, 'invalidSyntax'],
    [{ Operations: [{ op: 'add', path: 'toString', value: 'y' }] }, 'invalidPath'],
    [{ Operations: [{ op: 'replace', path: 'active', value: 'maybe' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', path: 'userName', value: '' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', path: 'title', value: 7 }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', path: 'title', value: 'a\0b' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'remove' }] }, 'noTarget'],
    [{ Operations: [{ op: 'move', path: 'title' }] }, 'invalidSyntax'],
    [{ Operations: [] }, 'invalidSyntax'],
    [{ Operations: many }, 'tooMany'],
    [undefined, 'invalidSyntax'],
  ];
  for (const [body, expected] of cases)
    assert.equal(
      scimType(() => changedUser(before, readUserPatch(body))),
      expected,
      JSON.stringify(body)?.slice(0, 99),
    );
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('a PATCH of a group is read in the forms of Entra ID and Okta', () => {
  const steps = (operation: unknown) => readGroupPatch({ Operations: [operation] });
  assert.deepEqual(steps({ op: 'Remove', path: 'members', value: [{ value: id }] }).steps, [{ op: 'remove', ids: [id] }]);
  assert.deepEqual(steps({ op: 'remove', path: `members[value eq "${id.toUpperCase()}"]` }).steps, [{ op: 'remove', ids: [id] }]);
  assert.deepEqual(steps({ op: 'remove', path: 'members' }).steps, [{ op: 'clear' }]);
  assert.deepEqual(steps({ op: 'replace', value: { id: 'g', displayName: 'N' } }), { displayName: 'N', steps: [] });
  assert.deepEqual(steps({ op: 'add', value: { members: [{ value: id }] } }).steps, [{ op: 'add', ids: [id] }]);
  const tooMany = Array.from({ length: 1_001 }, () => ({ value: id }));
  for (const [operation, expected] of [
    [{ op: 'add', path: 'members', value: tooMany }, 'tooMany'],
    [{ op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: null }, 'invalidValue'],
    [{ op: 'replace', path: 'members.__proto__', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ] as const)
    assert.equal(
      scimType(() => steps(operation)),
      expected,
    );
});

/** Names that address prototypes, mixed with those of attributes. */
const name = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'constructor.prototype',
    'toString',
    'userName',
    'active',
    'name',
    'emails',
    'members',
    'schemas',
  ),
  fc.constantFrom(`${enterprise}:manager`, enterprise, 'emails[type eq "work"].value', 'members[value eq "x"]', 'name.givenName'),
  anyText({ maxLength: 20 }),
);
const operation = fc.record(
  {
    op: fc.oneof(fc.constantFrom('add', 'Replace', 'remove'), anyText({ maxLength: 5 })),
    path: fc.oneof(
      name,
      fc.tuple(name, name).map((parts) => parts.join('.')),
    ),
    value: fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }))),
  },
  { requiredKeys: ['op'] },
);
const body = fc.record({ Operations: fc.array(operation, { maxLength: 5 }) });
const known = new Set<string>(details);

test('no PATCH or body changes a prototype or adds an attribute that is not stored, and each is read or rejected with a SCIM error', () => {
  const unchanged = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  fc.assert(
    fc.property(body, fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })), (given, whole) => {
      for (const read of [
        () => changedUser(before, readUserPatch(given)),
        () => changedUser({}, readUser(whole)),
        () => readGroupPatch(given),
        () => readGroup(whole),
      ]) {
        let result: unknown;
        const outcome = scimType(() => (result = read()));
        assert.ok(outcome !== undefined, 'an error has a type');
        if (outcome !== 'accepted') continue;
        const state = result as Partial<UserState>;
        if (state.details === undefined) continue;
        assert.ok(Object.keys(state.details).every((detail) => known.has(detail)));
        assert.ok(Object.values(state.details).every((value) => typeof value === 'string' && !value.includes('\0')));
        assert.ok(typeof state.userName === 'string' && state.userName.length <= 256);
      }
      assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), unchanged);
    }),
    { numRuns: 2_000 },
  );
});

test('a filter of supported terms is read as it was written', () => {
  const attribute = fc.constantFrom('userName', 'externalId', 'displayName', 'emails.value', 'emails[type eq "work"].value');
  const spelling = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
  );
  const term = fc.tuple(attribute, fc.constantFrom('eq', 'co', 'sw'), anyText({ maxLength: 20 }), spelling);
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 4 }), (terms) => {
      const written = terms.map(
        ([path, op, text, spelt]) => `${spelt(path).replace(/TYPE EQ "WORK"/, 'type eq "work"')} ${spelt(op)} ${JSON.stringify(text)}`,
      );
      const filter = written.join(' and ');
      if (filter.length > 512 || terms.some(([, , text]) => text.includes('\0'))) return;
      assert.deepEqual(
        readFilter(filter, 'user').map((read) => ('value' in read ? [read.op, read.value] : [read.op])),
        terms.map(([, op, text]) => [op, text]),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('any other filter is rejected with invalidFilter, in time that its length bounds', () => {
  for (const filter of [
    '',
    'userName',
    'userName eq',
    'userName eq "a" or id eq "b"',
    'not (userName eq "a")',
    'a eq "1"',
    'password eq "x"',
    '__proto__ eq "x"',
    'userName eq "a" and userName eq "b" and userName eq "c" and userName eq "d" and userName eq "e"',
    `userName eq "${'x'.repeat(600)}"`,
    '('.repeat(500),
    `${'a.'.repeat(250)} eq`,
    'active eq "maybe"',
    'active gt true',
    'meta.lastModified gt "yesterday"',
    'id co "a"',
    'userName gt "a"',
    'userName eq "\\q"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'userName pr "x"',
  ])
    assert.equal(
      scimType(() => readFilter(filter, 'user')),
      'invalidFilter',
      filter.slice(0, 60),
    );
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      assert.ok(['accepted', 'invalidFilter'].includes(scimType(() => readFilter(text, 'group')) as string));
    }),
  );
});
