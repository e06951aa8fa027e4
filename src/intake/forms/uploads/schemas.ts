import { Type } from 'typebox';

const taken = {
  fileId: Type.String({ description: 'The answer for a field of type `file` or `signature`' }),
  fileName: Type.String({ description: 'The name as it is kept: it ends as the type does' }),
  mediaType: Type.String({ description: 'The media type, detected from the content' }),
  size: Type.Integer({ description: 'In bytes' }),
};

export const uploaded = Type.Object(taken, { title: 'UploadedFile', additionalProperties: true });

export const uploadBody = Type.Object({
  altcha: Type.Optional(
    Type.Unknown({ description: 'The proof of work, before the part `file`, where the form asks for one and there is no session yet' }),
  ),
});

export const fileParams = Type.Object({ id: Type.String(), submissionId: Type.String(), fileId: Type.String() });
