/** Previews of drafts through a secret link that is valid for a day. A preview stores nothing. */
export { formsForPreview } from './for-pages.ts';
export { previewRoutes } from './routes.ts';
