import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { TestResponse, Chancery } from './harness.ts';

/* Requests and factories for tests of access control. */

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';

/** A caller: a user or an API client. */
export type Asker = { token: string };

/** Returns the fields of an upload: a document with a unique file. */
export function file(members: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'Agreement', ...members })) form.set(name, value);
  form.set('file', new Blob([`text ${randomUUIDv7()}`], { type: 'text/plain' }), 'a.txt');
  return form;
}

/** Returns the request functions of a test file for paths that begin with `prefix`. `service` returns the service that its `before` started. */
export function askingUnder(prefix: string, service: () => Chancery) {
  const call = (by: Asker, method: string, to: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    service().call(method, `${prefix}${to}`, {
      token: by.token,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  /** Sends a request that must succeed and returns the response body. */
  async function made(by: Asker, method: string, to: string, body?: unknown): Promise<any> {
    const answer = await call(by, method, to, body);
    assert.ok(answer.status < 300, `${method} ${to} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  return { call, made };
}

/** The same for full paths, with factories and share operations. */
export function asking(service: () => Chancery) {
  const { call, made } = askingUnder('', service);
  const folderBy = (by: Asker, members: object = {}) => made(by, 'POST', `${folders}/`, { name: randomUUIDv7(), ...members });
  return {
    call,
    made,
    status: async (...request: Parameters<typeof call>) => (await call(...request)).status,
    folderBy,
    /** Creates a document with a file, in a new folder. */
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
