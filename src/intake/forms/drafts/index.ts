/**
 * Drafts: unfinished answers that a visitor resumes in the same session, or on another device through a mailed link. The team cannot
 * see drafts.
 */
export { draftRoutes } from './routes.ts';
export { findAnswers, keepAndMailDraft, resumeDraft } from './service.ts';
