import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { TestResponse, Chancery } from './harness.ts';

/* How tests of what people may do ask for it, and what they give each other. */

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';

/** Whoever asks: a person, or an API client. */
export type Asker = { token: string };

/** The fields of an upload: a document with a file that no other has. */
export function file(members: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'Agreement', ...members })) form.set(name, value);
  form.set('file', new Blob([`text ${randomUUIDv7()}`], { type: 'text/plain' }), 'a.txt');
  return form;
}

/** What a test file asks by, of paths that begin with `prefix`; `service` gives the service that its `before` has started. */
export function askingUnder(prefix: string, service: () => Chancery) {
  const call = (by: Asker, method: string, to: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    service().call(method, `${prefix}${to}`, {
      token: by.token,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  /** What must succeed: gives the body. */
  async function made(by: Asker, method: string, to: string, body?: unknown): Promise<any> {
    const answer = await call(by, method, to, body);
    assert.ok(answer.status < 300, `${method} ${to} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  return { call, made };
}

/** The same of whole paths, with what tests give each other. */
export function asking(service: () => Chancery) {
  const { call, made } = askingUnder('', service);
  const folderBy = (by: Asker, members: object = {}) => made(by, 'POST', `${folders}/`, { name: randomUUIDv7(), ...members });
  return {
    call,
    made,
    status: async (...request: Parameters<typeof call>) => (await call(...request)).status,
    folderBy,
    /** A document with a file, in a folder of its own. */
    async documentOf(by: Asker): Promise<{ id: string; folder: string }> {
      const folder = await folderBy(by);
      return { id: (await made(by, 'POST', `${documents}/`, file({ folderId: folder.id }))).id, folder: folder.id };
    },
    shareFolder: (by: Asker, id: string, to: { userId: string } | { team: true }, access: 'read' | 'write') =>
      made(by, 'POST', `${folders}/${id}/shares`, { ...to, access }),
    shareDocument: (by: Asker, id: string, to: { id: string }, access: 'read' | 'write') =>
      made(by, 'POST', `${documents}/${id}/access`, { userId: to.id, access }),
    newVersion: (by: Asker, id: string) => call(by, 'POST', `${documents}/${id}/versions`, file()),
  };
}
