import { type Breach, type Field } from '#fields';
import type { FieldError } from '../../../platform/problems.ts';
import { includesType } from '../../../platform/storage/file-kind.ts';
import { submissionProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Visit } from './visit.ts';
import type { Scope } from '../../../platform/scope.ts';

type UploadReference = { field: string; fileId: string };
type Claim = {
  visit: Visit;
  id: string;
  fields: readonly Field[];
  named: readonly UploadReference[];
  reasonOf: (breach: Breach) => string;
};

const mebibyte = 1024 * 1024;

/**
 * Assigns the uploads in the answers to the submission, each once. Throws 422 `submission_invalid` for an upload that belongs to
 * another session or submission, has expired, or does not fit its field.
 */
export async function claimUploads(scope: Scope, { visit, id, fields, named, reasonOf }: Claim): Promise<void> {
  if (named.length === 0) return;
  const ids = [...new Set(named.map(({ fileId }) => fileId.toLowerCase()))];
  // Uploads of programs have no session. A visitor without a session cannot have uploads.
  const nothing = visit.session === undefined && visit.channel === 'public';
  const claimed = nothing
    ? []
    : await scope.db.all(queries.claimUploads, {
        team: scope.team,
        interface: visit.visited.id,
        session: visit.session ?? null,
        submission: id,
        ids,
        at: scope.now,
      });
  const byId = new Map(claimed.map((upload) => [upload.id, upload]));
  const errors = named.flatMap(({ field: name, fileId }): FieldError[] => {
    const rule = ruleBroken(
      byId.get(fileId.toLowerCase()),
      fields.find((field) => field.id === name),
    );
    return rule ? [{ name, pointer: `/data/${name}`, reason: reasonOf(rule), rule: rule.rule }] : [];
  });
  if (errors.length > 0) throw submissionProblems.submission_invalid('Some files are not accepted; `errors` lists each.', { errors });
}

function ruleBroken(upload: queries.ClaimedUpload | undefined, field: Field | undefined): Breach | undefined {
  if (!upload) return { rule: 'upload' };
  // A drawn signature is an image.
  const { accept = field?.type === 'signature' ? ['image/*'] : undefined, maxSizeMb } = field?.validation ?? {};
  if (accept && !includesType(accept, upload.media_type)) return { rule: 'accept' };
  return maxSizeMb !== undefined && upload.size > maxSizeMb * mebibyte ? { rule: 'maxSizeMb', limit: maxSizeMb } : undefined;
}
