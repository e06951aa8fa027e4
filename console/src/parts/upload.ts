import { useSyncExternalStore } from 'react';
import { serviceAddress } from '../address.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { session } from '../session/session.ts';

/** One file on its way. `sent` is a share from 0 to 1. */
export type Upload = {
  id: string;
  name: string;
  status: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  sent: number;
  error?: unknown;
  /** The identifier in the response. */
  resourceId?: string;
};

/** What to send, to a path of the API. */
export type UploadRequest = { file: File; path: string; fields?: Readonly<Record<string, string>>; done?: (body: unknown) => void };

type Job = UploadRequest & { key: string; request?: XMLHttpRequest };

/** Files that are sent at the same time. */
const maxConcurrent = 3;

let uploads: readonly Upload[] = [];
const jobs = new Map<string, Job>();
const listeners = new Set<() => void>();

function become(changed: readonly Upload[]): void {
  uploads = changed;
  for (const listener of listeners) listener();
}
const change = (id: string, members: Partial<Upload>) => become(uploads.map((one) => (one.id === id ? { ...one, ...members } : one)));

/** Sends one form. `fetch` reports no progress, so this is an XMLHttpRequest. */
function sendForm(job: Job, token: string, progress: (share: number) => void): Promise<{ status: number; response: Response }> {
  const request = new XMLHttpRequest();
  job.request = request;
  const form = new FormData();
  for (const [name, value] of Object.entries(job.fields ?? {})) form.set(name, value);
  form.set('file', job.file);
  return new Promise((resolve, reject) => {
    request.open('POST', `${serviceAddress}${job.path}`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    // A repeated upload after a lost response creates nothing twice.
    request.setRequestHeader('idempotency-key', job.key);
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const headers = Object.fromEntries(
        request
          .getAllResponseHeaders()
          .trim()
          .split(/[\r\n]+/)
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      resolve({ status: request.status, response: new Response(request.responseText, { status: request.status, headers }) });
    });
    request.addEventListener('error', () => reject(new TypeError('The upload did not reach the service.')));
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    request.send(form);
  });
}

async function run(id: string, job: Job): Promise<void> {
  change(id, { status: 'sending', sent: 0, error: undefined });
  try {
    let token = await session.accessToken();
    const progress = (sent: number) => change(id, { sent });
    let { status, response } = await sendForm(job, token, progress);
    if (status === 401) {
      session.discard(token);
      token = await session.accessToken();
      ({ status, response } = await sendForm(job, token, progress));
    }
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new ApiProblem(response, body);
    change(id, { status: 'done', sent: 1, resourceId: (body as { id?: string }).id });
    job.done?.(body);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') change(id, { status: 'cancelled' });
    else change(id, { status: 'failed', error });
  }
  startWaiting();
}

/** Starts waiting uploads, in their order. */
function startWaiting(): void {
  const free = maxConcurrent - uploads.filter(({ status }) => status === 'sending').length;
  for (const { id } of uploads.filter(({ status }) => status === 'waiting').slice(0, Math.max(free, 0))) {
    const job = jobs.get(id);
    if (job) void run(id, job);
  }
}

/** Uploads files, at most three at once. They continue while the person opens other screens. */
export function upload(requests: readonly UploadRequest[]): void {
  const added = requests.map((request): Upload => {
    const id = crypto.randomUUID();
    jobs.set(id, { ...request, key: crypto.randomUUID() });
    return { id, name: request.file.name, status: 'waiting', sent: 0 };
  });
  become([...uploads, ...added]);
  startWaiting();
}

export function cancelUpload(id: string): void {
  const job = jobs.get(id);
  if (uploads.find((one) => one.id === id)?.status === 'waiting') change(id, { status: 'cancelled' });
  job?.request?.abort();
}

/** Sends a failed or cancelled file again. */
export function retryUpload(id: string): void {
  change(id, { status: 'waiting', error: undefined });
  startWaiting();
}

/** Removes the ended uploads from the list. */
export function clearUploads(): void {
  const isOpen = ({ status }: Upload) => status === 'waiting' || status === 'sending';
  for (const { id } of uploads.filter((one) => !isOpen(one))) jobs.delete(id);
  become(uploads.filter(isOpen));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads);
