/** Drafts: answers that somebody goes on with later, in their session or on another device by a mailed link. The team sees none of them. */
export { draftRoutes } from './routes.ts';
export { findAnswers, keepAndMailDraft, resumeDraft } from './service.ts';
