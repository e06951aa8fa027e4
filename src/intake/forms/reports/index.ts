/** Reports: what visitors tell staff of a public page. */
export { reportRoutes } from './routes.ts';
export { maxText, reportReasons } from './schemas.ts';
export { endReports, keepReport, type Report } from './service.ts';
