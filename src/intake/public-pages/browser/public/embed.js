// Shows a form in another site, in a frame that is as high as the form:
//   <script async src="https://chancery.example/embed.js" data-form="TOKEN" data-title="Report a concern"></script>
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { form = '', locale, title = 'Form' } = script.dataset;
  const page = new URL(`f/${encodeURIComponent(form)}`, script.src);
  if (locale !== undefined) page.searchParams.set('locale', locale);
  const frame = document.createElement('iframe');
  frame.src = page.href;
  frame.title = title;
  Object.assign(frame.style, { border: '0', display: 'block', width: '100%', height: '600px' });
  // The greeting tells the form the origin of this page. The form sends its height only to this origin.
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ type: 'chancery:hello' }, page.origin));
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== page.origin || source !== frame.contentWindow || data?.type !== 'chancery:height') return;
    const height = Number(data.height);
    if (height > 0 && height <= 20_000) frame.style.height = `${Math.ceil(height)}px`;
  });
  script.after(frame);
})();
