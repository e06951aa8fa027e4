/** The diagram of a workflow: a separate thread computes the layout, and the result is drawn as SVG. */
export { type Layouts, openLayouts } from './layouts.ts';
export { diagramRoute } from './routes.ts';
