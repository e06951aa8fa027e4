export { type Layouts, openLayouts } from './layouts.ts';
export { diagramRoute } from './routes.ts';
