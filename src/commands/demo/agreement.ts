import type { Api } from '@chancery/client';
import { must, type Play, sha256, StepFailed } from './api.ts';

/** Creates a non-disclosure agreement from a bundled template with its example values. Returns the document ID. */
export async function makeAgreement(api: Api, folderId: string, play: Play): Promise<string> {
  const template = await play('template', async () => {
    const made = must(await api.POST('/api/v1/document-templates/library/{slug}', { params: { path: { slug: 'nda' } } }));
    return { say: `“${made.name}”, a copy of a bundled template`, value: made };
  });
  return play('document made', async () => {
    const [example] = template.schema.examples as Record<string, unknown>[];
    const body = { data: { ...example, date: new Date().toISOString().slice(0, 10) }, title: 'NDA, Acme Robotics', folderId };
    const path = { id: template.id };
    const { id, currentVersion } = must(await api.POST('/api/v1/document-templates/{id}/documents', { params: { path }, body }));
    const content = await api.GET('/api/v1/smartdoc/documents/{id}/content', { params: { path: { id } }, parseAs: 'arrayBuffer' });
    const pdf = Buffer.from(must(content));
    if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new StepFailed('the created file is not a PDF');
    if (currentVersion?.sha256 !== sha256(pdf)) throw new StepFailed('the stored hash differs from the hash of the file');
    return { say: `from the template: a tagged PDF/A-2a of ${pdf.length} bytes, for review, approval and signature`, value: id };
  });
}
