import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Break, breakingChanges, comparable, unnamed } from '../scripts/breaking-changes.ts';

const answered = { type: 'object', title: 'Note', required: ['id'], properties: { id: { type: 'string' }, text: { type: 'string' } } };
const sent = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', maxLength: 100 },
    kind: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** Returns an API description with one operation that accepts and returns notes, and one event. */
function description(): any {
  return {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    paths: {
      '/notes': {
        post: {
          operationId: 'createNote',
          summary: 'Make a note',
          description: 'Makes a note.',
          security: [{ accessToken: ['notes:write'] }],
          parameters: [{ in: 'query', name: 'limit', required: false, schema: { type: 'integer', maximum: 100 } }],
          requestBody: { required: false, ...json(structuredClone(sent)) },
          responses: { '201': { description: 'Made', ...json({ $ref: '#/components/schemas/Note' }) }, '409': { description: 'Refused' } },
        },
      },
    },
    webhooks: { 'note.created': { post: { requestBody: json({ type: 'object', properties: { noteId: { type: 'string' } } }) } } },
    components: { schemas: { Note: structuredClone(answered) }, parameters: {} },
  };
}

/** Returns the breaking changes that a change of the description causes. */
function breaks(change: (document: any) => void): string[] {
  const [was, is] = [comparable(description()), description()];
  change(is);
  return breakingChanges(was, is).map(({ place, what }) => `${place} ${what}`);
}
const operation = (document: any) => document.paths['/notes'].post;
const body = (document: any) => operation(document).requestBody.content['application/json'].schema;
const note = (document: any) => document.components.schemas.Note;

test('each breaking change is reported with its place', () => {
  const changes: [(document: any) => void, string][] = [
    [(d) => delete d.paths['/notes'], 'createNote POST /notes no longer exists'],
    [(d) => (operation(d).operationId = 'addNote'), 'createNote is called addNote'],
    [(d) => operation(d).security[0].accessToken.push('notes:read'), 'createNote needs the scope notes:read'],
    [(d) => (operation(d)['x-person-only'] = true), 'createNote is closed to API clients'],
    [(d) => (operation(d)['x-roles'] = ['owner']), 'createNote is for fewer roles'],
    [(d) => (operation(d).parameters = []), 'createNote ?limit is no longer accepted'],
    [(d) => (operation(d).parameters[0].required = true), 'createNote ?limit is required'],
    [(d) => (operation(d).parameters[0].schema.maximum = 50), 'createNote ?limit has a narrower maximum'],
    [(d) => operation(d).parameters.push({ in: 'query', name: 'for', required: true, schema: {} }), 'createNote ?for is required'],
    [(d) => (operation(d).requestBody.required = true), 'createNote body is required'],
    [(d) => (operation(d).requestBody.content = { 'text/plain': {} }), 'createNote body no longer accepts application/json'],
    [(d) => body(d).required.push('kind'), 'createNote body.kind is required'],
    [(d) => delete body(d).properties.kind, 'createNote body.kind is no longer accepted'],
    [(d) => body(d).properties.kind.enum.pop(), 'createNote body.kind no longer accepts b'],
    [(d) => (body(d).properties.text.enum = ['x']), 'createNote body.text accepts only listed values'],
    [(d) => (body(d).properties.text.maxLength = 99), 'createNote body.text has a narrower maxLength'],
    [(d) => (body(d).properties.text.minLength = 1), 'createNote body.text has a narrower minLength'],
    [(d) => (body(d).properties.text.pattern = '^a'), 'createNote body.text has another pattern'],
    [
      (d) => (body(d).properties.tags.items.type = 'integer'),
      'createNote body.tags[] is ["integer",null,null] instead of ["string",null,null]',
    ],
    [(d) => delete operation(d).responses['201'], 'createNote 201 is no longer returned'],
    [(d) => (operation(d).responses['201'].content = { 'text/plain': {} }), 'createNote 201 no longer is application/json'],
    [(d) => delete note(d).properties.text, 'Note.text no longer exists'],
    [(d) => (note(d).required = []), 'Note.id may be absent'],
    [(d) => (note(d).properties.id = { type: 'integer' }), 'Note.id is ["integer",null,null] instead of ["string",null,null]'],
    [(d) => (note(d).properties.id = { anyOf: [{ type: 'string' }, { type: 'null' }] }), 'Note.id has another alternative'],
    [(d) => delete d.webhooks['note.created'], 'event note.created is no longer sent'],
    [
      (d) => delete d.webhooks['note.created'].post.requestBody.content['application/json'].schema.properties.noteId,
      'event note.created.noteId no longer exists',
    ],
  ];
  for (const [change, found] of changes) assert.deepEqual(breaks(change), [found]);
});

test('compatible changes are not reported', () => {
  const changes: ((document: any) => void)[] = [
    () => undefined,
    (d) => (d.paths['/other'] = { get: { operationId: 'listOthers', responses: {} } }),
    (d) => operation(d).parameters.push({ in: 'query', name: 'sort', required: false, schema: {} }),
    (d) => (operation(d).description = 'Said otherwise'),
    (d) => (operation(d).responses['410'] = { description: 'Gone' }),
    (d) => (body(d).properties.color = { type: 'string' }),
    (d) => body(d).properties.kind.enum.push('c'),
    (d) => (body(d).properties.text.maxLength = 200),
    (d) => (body(d).required = []),
    (d) => (body(d).properties.text = { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] }),
    (d) => (note(d).properties.color = { type: 'string' }),
    (d) => note(d).required.push('text'),
    (d) => (d.webhooks['note.deleted'] = d.webhooks['note.created']),
  ];
  for (const change of changes) assert.deepEqual(breaks(change), []);
});

test('a recursive schema is compared once', () => {
  const folder = (type: string) => ({
    paths: { '/': { get: { operationId: 'getFolder', responses: { '200': json({ $ref: '#/components/schemas/Folder' }) } } } },
    components: {
      schemas: { Folder: { type: 'object', properties: { name: { type }, parent: { $ref: '#/components/schemas/Folder' } } } },
    },
  });
  const found = breakingChanges(folder('string'), folder('integer'));
  assert.deepEqual(
    found.map(({ place }) => place),
    ['Folder.name'],
  );
});

test('the changelog permits a breaking change if its section for the next version names the place', () => {
  const broken: Break[] = [
    { place: 'Note.text', what: 'no longer exists' },
    { place: 'createNote body.kind', what: 'is required' },
  ];
  const log = (coming: string, before: string) => `# Changelog\n\n## 2.0.0 (unreleased)\n\n${coming}\n\n## 1.0.0\n\n${before}\n`;
  assert.deepEqual(unnamed(broken, log('- `Note.text` is gone, read `Note.body`; `createNote body.kind` must be sent', '')), []);
  assert.deepEqual(unnamed(broken, log('- Note.text is gone', '- `createNote body.kind` must be sent')), broken);
});
