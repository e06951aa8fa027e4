/** How much an interface is answered. */
export { statisticsRoutes } from './routes.ts';
