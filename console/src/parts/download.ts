import { api, ok } from '../api.ts';

/**
 * Downloads a file of the API to the computer. The browser reads it by an address for one use, because a link cannot carry the token. With `body` the
 * operation is a POST.
 */
export async function download(path: string, body?: Record<string, unknown>): Promise<void> {
  const { url } = await ok(api.POST('/api/v1/downloads', { body: { path, ...(body ? { body } : {}) } }));
  const link = document.createElement('a');
  link.href = url;
  // An error response is then a failed download, and does not replace the console.
  link.download = '';
  link.click();
}
