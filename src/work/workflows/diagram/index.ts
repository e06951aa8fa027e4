/** The diagram of a workflow: a separate thread computes the layout, and the result is drawn as SVG. */
export { type Layouts, openLayouts } from './layouts.ts';
export { type DiagramNode, drawDiagram, type Look } from './drawing.ts';
export { diagramRoute, sendDiagram } from './routes.ts';
export { graphOf } from './svg.ts';
