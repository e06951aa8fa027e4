import { type Static, Type } from 'typebox';
import { commentMembers, commentText } from '../../../platform/comments.ts';

const version = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }));
export const commentBody = Type.Object({ text: commentText, version: version('The commented version. Default: the whole document') });
export type CommentBody = Static<typeof commentBody>;
export const comment = Type.Object(
  { ...commentMembers, documentId: Type.String(), version: version('The commented version, if any') },
  { title: 'DocumentComment' },
);
export type Comment = Static<typeof comment>;
export const commentParams = Type.Object({ id: Type.String(), commentId: Type.String() });
