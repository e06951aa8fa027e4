import { readFile } from 'node:fs/promises';
import { type Api, asForm, type Document } from '@chancery/client';
import { must } from './api.ts';

/** Reads the contract of the demo, a PDF file of two pages. */
export const contractFile = (): Promise<Buffer<ArrayBuffer>> => readFile(new URL('../../../demo/contract.pdf', import.meta.url));

/** Uploads the contract of the demo to a folder. Returns the document, and the uploaded bytes. */
export async function uploadContract(api: Api, folderId: string): Promise<Document & { bytes: Buffer }> {
  const bytes = await contractFile();
  const file = new File([bytes], 'master-services-agreement.pdf', { type: 'application/pdf' });
  const body = { title: 'Master services agreement', folderId, file };
  return { bytes, ...must(await api.POST('/api/v1/smartdoc/documents/', { body, bodySerializer: asForm })) };
}
