import { type Static, Type } from 'typebox';
import { agentParams } from '../schemas.ts';
import { time } from '../../../platform/schema-parts.ts';

/** Limits of the files of an agent: bytes of one file, number of files, and bytes of all files. */
export const most = { bytes: 256 * 1024, files: 200, allBytes: 10 * 1024 * 1024 };

const listed = {
  name: Type.String(),
  size: Type.Integer({ description: 'Size in bytes of UTF-8' }),
  updatedAt: time,
  updatedBy: Type.String({ description: 'The last writer' }),
};
export const fileList = Type.Object(
  {
    agentId: Type.String({ description: 'The agent of these files' }),
    files: Type.Array(
      Type.Object({ ...listed, etag: Type.String({ description: 'The value for `If-Match` of a write' }) }, { title: 'AgentFileEntry' }),
      { description: 'All files, by name' },
    ),
  },
  { title: 'AgentFiles' },
);
export type FileList = Static<typeof fileList>;

const version = Type.Integer({ description: 'The version number, starting at 1' });
export const fileAnswer = Type.Object(
  {
    agentId: Type.String({ description: 'The agent of the file' }),
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
        { description: 'Texts that look like credentials, at most 20; absent if there are none' },
      ),
    ),
  },
  { title: 'AgentFileAnswer' },
);
export type FileAnswer = Static<typeof fileAnswer>;

export const fileVersions = Type.Object(
  {
    agentId: Type.String({ description: 'The agent of these files' }),
    versions: Type.Array(
      Type.Object(
        { name: Type.String(), version, size: Type.Integer(), changedBy: Type.String({ description: 'The writer' }), changedAt: time },
        { title: 'AgentFileVersion' },
      ),
      { description: 'Newest first, at most 200' },
    ),
  },
  { title: 'AgentFileVersions' },
);
export type FileVersions = Static<typeof fileVersions>;

const which = Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'The version number' });
export const fileParams = Type.Object({
  ...agentParams.properties,
  fileName: Type.String({ description: 'The name of the file with its folders, URL-encoded: `playbooks%2Fnda.md`' }),
});
export const writeBody = Type.Object({ content: Type.String({ maxLength: most.bytes, description: 'The complete text' }) });
export const readQuery = Type.Object({ version: Type.Optional({ ...which, description: 'The version number; the newest by default' }) });
export const versionsQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 1_500, description: 'The name of a file, with its folders; all files by default' })),
});
export const restoreBody = Type.Object({ version: which });
