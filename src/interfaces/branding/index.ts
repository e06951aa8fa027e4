/** Branding: the name, logo and colour that a team's public pages have. */
export { accentOf, contrast, grounds } from './colours.ts';
export { brandingRoutes } from './routes.ts';
export { logoPath } from './service.ts';
