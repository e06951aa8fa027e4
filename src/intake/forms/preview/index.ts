/** A draft as its page will look, by a secret link that ends after a day: nothing that is sent there is kept. */
export { formsForPreview } from './for-pages.ts';
export { previewRoutes } from './routes.ts';
