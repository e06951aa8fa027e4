/**
 * The script of the page `/app/pdf-renderer.html`. It has an opaque origin and no network. The renderer runs in a worker, so that a slow file does not
 * stop the console in browsers that give both pages one thread.
 */
const { renderer } = (document.currentScript as HTMLScriptElement).dataset;
const address = JSON.stringify(new URL(renderer ?? '', location.href));

addEventListener(
  'message',
  ({ source, ports }) => {
    if (source !== parent) return;
    const worker = new Worker(URL.createObjectURL(new Blob([`importScripts(${address})`], { type: 'text/javascript' })));
    worker.postMessage(null, [...ports]);
  },
  { once: true },
);
