import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isList } from '#fields';
import { Problem } from '../../../../platform/problems.ts';
import type { PublicPages } from '../context.ts';
import { uploadErrors } from '../refusals.ts';
import { fill, wordsFor } from '../words/index.ts';
import type { OpenForm } from './form-page.ts';
import type { FieldErrorText } from './question.ts';
import type { Entries } from './sent.ts';

/** Uploads the files of a form that a page without scripts sends, one by one. Each becomes an answer or an error. */
export function fileTaker(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, token: string) {
  const taken: { field: string; id: string; name: string }[] = [];
  const refused: { field: string; name: string; problem: Problem }[] = [];
  return {
    async take(file: MultipartFile): Promise<void> {
      const [, field] = /^_file\.([\w-]+)$/.exec(file.fieldname) ?? [];
      if (field === undefined) return void file.file.resume();
      try {
        const { fileId, fileName } = await pages.forms.upload(request, reply, token, file);
        taken.push({ field, id: fileId, name: fileName });
      } catch (error) {
        if (!(error instanceof Problem) || error.code === 'interface_not_found') throw error;
        file.file.resume();
        refused.push({ field, name: file.filename, problem: error });
      }
    },
    /** Adds the uploaded files to the sent answers. In a field for one file a new upload replaces the old one. */
    entries(sent: Entries, { form: { fields } }: OpenForm): Entries {
      const single = new Set(fields.filter((field) => !isList(field)).map(({ id }) => id));
      const replaced = new Set(taken.map(({ field }) => field).filter((field) => single.has(field)));
      const files = taken.flatMap(({ field, id, name }) => [[field, id] as const, [`_name.${id}`, name] as const]);
      return [...sent.filter(([name]) => !replaced.has(name)), ...files];
    },
    errors({ form: { fields, shown } }: OpenForm): FieldErrorText[] {
      const { words } = wordsFor(shown.publicSettings.locale);
      const said = uploadErrors(words);
      return refused
        .filter(({ field }) => fields.some(({ id }) => id === field))
        .map(({ field, name, problem: { code } }) => ({
          name: field,
          reason: said[code] ?? fill(words.file.failed, { name }),
        }));
    },
  };
}
