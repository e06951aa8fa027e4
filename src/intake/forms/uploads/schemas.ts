import { Type } from 'typebox';

const taken = {
  fileId: Type.String({ description: 'The answer for a field of type `file` or `signature`' }),
  fileName: Type.String({ description: 'The stored name, with the extension of its type' }),
  mediaType: Type.String({ description: 'The media type, detected from the content' }),
  size: Type.Integer({ description: 'In bytes' }),
};

export const uploaded = Type.Object(taken, { title: 'UploadedFile', additionalProperties: true });

export const uploadBody = Type.Object({
  altcha: Type.Optional(
    Type.Unknown({
      description: 'The proof of work, if the form requires one and there is no session yet. Send it before the part `file`',
    }),
  ),
});

export const fileParams = Type.Object({ id: Type.String(), submissionId: Type.String(), fileId: Type.String() });
