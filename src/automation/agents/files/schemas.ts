import { type Static, Type } from 'typebox';
import { agentParams } from '../schemas.ts';
import { time } from '../../../platform/schema-parts.ts';

/** Bytes of a file, and files and bytes of an agent. */
export const most = { bytes: 256 * 1024, files: 200, allBytes: 10 * 1024 * 1024 };

const listed = {
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes in UTF-8' }),
  updatedAt: time,
  updatedBy: Type.String({ description: 'Who wrote it last' }),
};
export const fileList = Type.Object(
  {
    agentId: Type.String({ description: 'Whose files these are' }),
    files: Type.Array(
      Type.Object({ ...listed, etag: Type.String({ description: 'For `If-Match` of a write' }) }, { title: 'AgentFileEntry' }),
      { description: 'All files, by name' },
    ),
  },
  { title: 'AgentFiles' },
);
export type FileList = Static<typeof fileList>;

const version = Type.Integer({ description: 'Which version this is, from 1 on' });
export const fileAnswer = Type.Object(
  {
    agentId: Type.String({ description: 'Whose file this is' }),
    file: Type.Object({ ...listed, version, content: Type.String() }, { title: 'AgentFile', description: 'The file' }),
    warnings: Type.Optional(
      Type.Array(
        Type.Object(
          {
            line: Type.Integer({ description: 'The line of its start' }),
            message: Type.String({ description: 'The kind of the finding' }),
          },
          { title: 'AgentFileWarning' },
        ),
        { description: 'What in it looks like a credential, 20 at most; left out where nothing does' },
      ),
    ),
  },
  { title: 'AgentFileAnswer' },
);
export type FileAnswer = Static<typeof fileAnswer>;

export const fileVersions = Type.Object(
  {
    agentId: Type.String({ description: 'Whose files these are' }),
    versions: Type.Array(
      Type.Object(
        { name: Type.String(), version, size: Type.Integer(), changedBy: Type.String({ description: 'Who wrote it' }), changedAt: time },
        { title: 'AgentFileVersion' },
      ),
      { description: 'The newest first, 200 at most' },
    ),
  },
  { title: 'AgentFileVersions' },
);
export type FileVersions = Static<typeof fileVersions>;

const which = Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'Which version' });
export const fileParams = Type.Object({
  ...agentParams.properties,
  fileName: Type.String({ description: 'The name of the file, with the folders before it, encoded: `playbooks%2Fnda.md`' }),
});
export const writeBody = Type.Object({ content: Type.String({ maxLength: most.bytes, description: 'The whole text' }) });
export const readQuery = Type.Object({ version: Type.Optional({ ...which, description: 'Which version; without it the newest' }) });
export const versionsQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1_500, description: 'Of which file, with the folders before it; without it of all' })),
});
export const restoreBody = Type.Object({ version: which });
