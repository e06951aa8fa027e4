/** Branding: the name, logo and colour of the public pages of a team. */
export { type Brand, brandOfDocument, brandOfTeam, mailBrandOf } from './brand.ts';
export { accentOf, contrast, grounds } from './colours.ts';
export { pictureOf } from './picture.ts';
export { brandingRoutes } from './routes.ts';
export { logoPath } from './service.ts';
