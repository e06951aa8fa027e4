/** The SCIM 2.0 service of directories: users, groups, filters and PATCH. */
export { scimRoutes } from './routes.ts';
