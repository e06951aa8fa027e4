/** Reports of visitors to staff about public pages. */
export { reportRoutes } from './routes.ts';
export { maxText, reportReasons } from './schemas.ts';
export { endReports, keepReport, type Report } from './service.ts';
