// Written by `npm run generate` from src/intake/public-pages/browser/public/page.js.
const module0 = (() => {
  function find(root, selector, kind) {
    const found = root.querySelector(selector);
    return found instanceof kind ? found : undefined;
  }
  function all(root, selector, kind) {
    return /** @type {T[]} */ ([...root.querySelectorAll(selector)].filter((one) => one instanceof kind));
  }
  function make(name, attributes = {}, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...content);
    return made;
  }
  function fill(text, values) {
    return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
  }
  function say(text) {
    const place =
      find(document, '#said', HTMLElement) ?? document.body.appendChild(make('p', { id: 'said', class: 'apart', role: 'status' }));
    place.textContent = '';
    setTimeout(() => (place.textContent = text), 50);
  }
  function debounce(call, ms) {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(call, ms);
    };
  }

  return { find, all, make, fill, say, debounce };
})();
const module1 = (() => {
  const { find } = module0;
  let session = '';

  const hasSession = () => session !== '';

  const isFramed = window.parent !== window;
  function ask(address, { method = 'GET', body, progress, type }) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      request.responseType = type;
      request.timeout = 120_000;
      request.setRequestHeader('x-page', 'part');
      if (session !== '') request.setRequestHeader('x-submission-session', session);
      request.upload.addEventListener('progress', ({ loaded, total }) => progress?.(total > 0 ? loaded / total : 0));
      request.addEventListener('load', () => {
        session = request.getResponseHeader('x-submission-session') ?? session;
        resolve(request);
      });
      for (const failure of ['error', 'timeout', 'abort']) request.addEventListener(failure, () => reject(new Error(failure)));
      request.send(body);
    });
  }
  async function visit(address, { history: kind = 'push', focus = true, ...sending } = {}) {
    const answer = await ask(address, { ...sending, type: 'document' });
    const page = answer.responseXML;
    if (!(page instanceof Document) || !page.querySelector('main')) throw new Error('the response is not a page');
    const place = answer.getResponseHeader('content-location') ?? answer.responseURL;
    show(page);
    if (kind !== 'none' && sending.method !== 'POST') history[`${kind}State`](null, '', place);
    else if (answer.getResponseHeader('content-location')) history.pushState(null, '', place);
    shown = here();
    if (focus) focusOn(document);
    return page;
  }

  const here = () => location.pathname + location.search;
  let shown = here();
  const isSamePage = () => here() === shown;
  function show(page) {
    document.title = page.title;
    const { lang, dir } = page.documentElement;
    Object.assign(document.documentElement, { lang, dir });
    document.body.className = page.body.className;
    document.body.replaceChildren(...[...page.body.children].map((child) => document.adoptNode(child)));
    for (const listen of listeners) listen();
  }
  function focusOn(root) {
    const target = find(root, '[autofocus]', HTMLElement) ?? find(root, 'h1', HTMLElement);
    if (target === undefined) return;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus();
    if (target.matches('h1, #summary')) scrollTo({ top: 0 });
  }
  const listeners = [];
  function onPage(listen) {
    listeners.push(listen);
    listen();
  }

  return { hasSession, isFramed, ask, visit, isSamePage, focusOn, onPage };
})();
const module2 = (() => {
  const { all, find } = module0;
  const { focusOn, visit } = module1;
  function startBooker() {
    const booker = find(document, '[data-booker]', HTMLElement);
    const zoneForm = booker && find(booker, '[data-zone]', HTMLFormElement);
    if (!booker || !zoneForm) return;
    const button = find(zoneForm, 'button', HTMLButtonElement);
    if (button) button.hidden = true;
    const select = find(zoneForm, 'select', HTMLSelectElement);
    select?.addEventListener('change', () => void follow(addressOf(zoneForm), '#zone'));
    for (const form of all(booker, 'form', HTMLFormElement)) {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void follow(addressOf(form, event.submitter));
      });
    }
    for (const link of all(booker, 'a[href]', HTMLAnchorElement)) {
      link.addEventListener('click', (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        void follow(link.href, 'turn' in link.dataset ? `[data-turn=${link.dataset.turn}]` : '#times h2');
      });
    }
    ownZone(zoneForm);
  }
  function ownZone(form) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (new URLSearchParams(location.search).has('zone') || !zone || zone === form.dataset.zone) return;
    const here = new URL(location.href);
    here.searchParams.set('zone', zone);
    void visit(here.href, { history: 'replace', focus: false }).catch(() => undefined);
  }
  function addressOf(form, submitter = null) {
    const values = [...new FormData(form, submitter)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
    return `${form.action}?${new URLSearchParams(values)}`;
  }
  async function follow(address, then) {
    find(document, '[data-booker]', HTMLElement)?.classList.add('busy');
    try {
      await visit(address, { focus: then === undefined });
      const target = then === undefined ? undefined : find(document, then, HTMLElement);
      if (!target) return then === undefined ? undefined : focusOn(document);
      if (target.tabIndex < 0) target.tabIndex = -1;
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    } catch {
      location.assign(address);
    }
  }

  return { startBooker };
})();
const module3 = (() => {
  const { all, find, make } = module0;
  function partOf(form, id) {
    return find(form, `[data-field="${CSS.escape(id)}"]`, HTMLElement);
  }
  function mark(form, id, reason, words) {
    const part = partOf(form, id);
    const place = part && find(part, `#f-${CSS.escape(id)}-fault`, HTMLElement);
    if (!part || !place) return;
    part.classList.toggle('wrong', reason !== undefined);
    place.hidden = reason === undefined;
    place.replaceChildren(...(reason === undefined ? [] : [make('span', { class: 'apart' }, `${words.problem}: `), reason]));
    for (const control of all(part, '[aria-describedby]', HTMLElement)) control.ariaInvalid = reason === undefined ? null : 'true';
  }
  function isMarked(form, id) {
    return partOf(form, id)?.classList.contains('wrong') === true;
  }
  function summarise(form, errors, words, text = words.problemsIntro) {
    clearSummary(form);
    const items = errors.map(({ name, reason }) => {
      const part = partOf(form, name);
      const label = part && find(part, '.question, .choice .text', HTMLElement)?.firstChild?.textContent?.trim();
      const link = label ? [make('a', { href: `#f-${name}` }, label), ' '] : [];
      return make('li', {}, ...link, make('span', {}, reason));
    });
    const list = items.length > 0 ? [make('ul', {}, ...items)] : [];
    const summary = make(
      'div',
      { class: 'summary', id: 'summary', role: 'alert', tabindex: '-1' },
      make('h2', {}, words.problems),
      make('p', {}, text),
      ...list,
    );
    find(form, '[data-top]', HTMLElement)?.after(summary);
    summary.focus();
    summary.scrollIntoView({ block: 'start', behavior: 'auto' });
  }
  function followSummary(form) {
    form.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('.summary a') : null;
      const control = link && document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
      if (!control) return;
      event.preventDefault();
      control.focus();
      control.closest('[data-field]')?.scrollIntoView({ block: 'start' });
    });
  }
  function clearSummary(form) {
    for (const old of all(form, '.summary', HTMLElement)) old.remove();
  }

  return { partOf, mark, isMarked, summarise, followSummary, clearSummary };
})();
const module4 = (() => {
  const { find, make } = module0;
  function own(address) {
    if (new URL(address, location.href).origin !== location.origin) throw new Error('the address is not on this service');
    const { trustedTypes } = /** @type {any} */ (globalThis);
    policy ??= trustedTypes?.createPolicy('chancery-proof', { createScriptURL: (/** @type {string} */ text) => text });
    return policy?.createScriptURL(address) ?? address;
  }
  let policy;
  function prove(form, locale) {
    const place = find(form, '[data-proof]', HTMLElement);
    if (!place) return;
    const { proof = '', widget: code = '', styles = '', workers = '', language = '' } = place.dataset;
    const begin = async () => {
      const widget = /** @type {any} */ (
        make(/** @type {'div'} */ ('altcha-widget'), {
          challenge: proof,
          language: locale.split('-')[0],
          name: 'altcha',
          auto: 'onload',
        })
      );
      const nonce = find(document, 'script[nonce]', HTMLScriptElement)?.nonce;
      document.head.append(make('link', { rel: 'stylesheet', href: styles, nonce }));
      await import(code);
      if (language !== '') await import(language);
      const { $altcha } = /** @type {any} */ (globalThis);
      $altcha.defaults.set({ hideFooter: true });
      const [sha = '', pbkdf2 = ''] = workers.split(' ');
      $altcha.algorithms.set('SHA-256', () => new Worker(own(sha)));
      $altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(own(pbkdf2)));
      place.replaceChildren(widget);
      return widget;
    };
    let begun;
    const once = () => (begun ??= begin());
    widgets.set(form, once);
    for (const name of ['focusin', 'pointerdown', 'submit']) form.addEventListener(name, () => void once().catch(() => undefined));
  }
  const widgets = new WeakMap();
  async function takeProof(form) {
    const widget = await widgets.get(form)?.();
    if (!widget) return undefined;
    const made = () => find(widget, 'input[name=altcha]', HTMLInputElement)?.value ?? '';
    const until = performance.now() + 60_000;
    while (made() === '' && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
    const proof = made();
    widget.reset();
    void widget.verify();
    return proof;
  }

  return { prove, takeProof };
})();
const module5 = (() => {
  const { all, fill, find, make, say } = module0;
  const { mark } = module3;
  const { takeProof } = module4;
  const { ask, hasSession } = module1;
  function uploads(context) {
    for (const drop of all(context.form, '[data-upload]', HTMLElement)) {
      const input = find(drop, 'input[type=file]', HTMLInputElement);
      const list = find(drop.parentElement ?? drop, '.files', HTMLElement);
      if (!input || !list) continue;
      const field = drop.dataset.upload ?? '';
      input.removeAttribute('name');
      const pick = find(drop, '.pick', HTMLElement);
      if (pick) pick.hidden = false;
      const take = (/** @type {Iterable<File>} */ files) => void takeAll(context, { field, input, list }, files);
      input.addEventListener('change', () => {
        take([...(input.files ?? [])]);
        input.value = '';
      });
      dropping(drop, take);
      list.addEventListener('click', (event) => takeBack(context, event));
    }
  }
  function dropping(place, take) {
    place.addEventListener('dragover', (event) => {
      event.preventDefault();
      place.classList.add('over');
    });
    for (const name of /** @type {const} */ (['dragleave', 'drop'])) place.addEventListener(name, () => place.classList.remove('over'));
    place.addEventListener('drop', (event) => {
      event.preventDefault();
      take(event.dataTransfer?.files ?? []);
    });
  }
  function takeBack({ form, definition: { words } }, event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const item = button?.closest('li');
    if (!button || !item) return;
    event.preventDefault();
    say(fill(words.file.removed, { name: item.querySelector('span')?.textContent ?? '' }));
    const control = item.closest('[data-field]')?.querySelector('input:not([type=hidden])');
    item.remove();
    if (control instanceof HTMLElement) control.focus();
    form.dispatchEvent(new Event('input'));
  }
  async function takeAll(context, { field, input, list }, files) {
    const { form, definition } = context;
    const { file: words } = definition.words;
    const [most, size] = [Number(input.dataset.most), Number(input.dataset.size)];
    mark(form, field, undefined, definition.words);
    for (const file of files) {
      const name = file.name;
      if (most === 1) for (const old of all(list, 'li', HTMLElement)) old.remove();
      if (list.children.length >= most) return mark(form, field, fill(words.tooMany, { count: most }), definition.words);
      if (file.size > size * 1024 * 1024) mark(form, field, fill(words.tooLarge, { name, size }), definition.words);
      else await takeOne(context, { field, list }, file);
    }
  }
  async function takeOne(context, { field, list }, file) {
    const { form, definition } = context;
    const { file: words } = definition.words;
    const { name } = file;
    const bar = make('progress', { 'aria-label': name, max: '1' });
    const item = make('li', {}, make('span', {}, name), bar);
    list.append(item);
    const sent = await upload(context, file, (share) => (bar.value = share));
    bar.remove();
    if ('error' in sent) {
      item.remove();
      return mark(form, field, sent.error || fill(words.failed, { name }), definition.words);
    }
    const { fileId } = sent;
    const button = make('button', {
      class: 'button plain small',
      name: '_remove',
      value: `${field} ${fileId}`,
      'aria-label': fill(words.removeOne, { name }),
    });
    button.textContent = words.remove;
    item.append(button, hidden(field, fileId), hidden(`_name.${fileId}`, name));
    say(fill(words.done, { name }));
    form.dispatchEvent(new Event('input'));
  }
  function hidden(name, value) {
    return make('input', { type: 'hidden', name, value });
  }
  async function upload({ form, operations, definition }, file, progress) {
    const body = new FormData();
    try {
      const proof = hasSession() ? undefined : await takeProof(form);
      if (proof) body.append('altcha', proof);
      body.append('file', file);
      const answer = await ask(`${operations}/upload`, { method: 'POST', body, type: 'json', ...(progress ? { progress } : {}) });
      const { fileId, code } = answer.response ?? {};
      if (typeof fileId === 'string') return { fileId };
      return { error: definition.uploadErrors[code] ?? '' };
    } catch {
      return { error: '' };
    }
  }

  return { uploads, dropping, hidden, upload };
})();
const module6 = (() => {
  const { find } = module0;
  const { dropping } = module5;
  const { visit } = module1;
  function startCompare() {
    const form = find(document, '[data-compare]', HTMLFormElement);
    const input = form && find(form, 'input[type=file]', HTMLInputElement);
    if (!form || !input || !globalThis.crypto?.subtle) return;
    const kept = find(form, '[data-private]', HTMLElement);
    if (kept) kept.textContent = kept.dataset.private ?? '';
    const compare = async (/** @type {File | undefined} */ file) => {
      if (!file) return;
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      await visit(form.action, { method: 'POST', body: new URLSearchParams({ sha256 }) }).catch(() => form.submit());
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void compare(input.files?.[0]);
    });
    const drop = find(form, '.drop', HTMLElement);
    if (drop) dropping(drop, (files) => void compare([...files][0]));
  }

  return { startCompare };
})();
const module7 = (() => {
  const fieldTypes = [
    'text',
    'textarea',
    'email',
    'phone',
    'number',
    'integer',
    'money',
    'date',
    'time',
    'datetime',
    'boolean',
    'select',
    'multiselect',
    'radio',
    'checkbox',
    'file',
    'address',
    'registry',
    'country',
    'url',
    'signature',
    'hidden',
    'heading',
    'consent',
  ];

  const lengths = ['minLength', 'maxLength', 'pattern'];
  const range = ['min', 'max'];
  const items = ['minItems', 'maxItems'];
  const rulesOf = {
    text: lengths,
    textarea: lengths,
    email: lengths,
    phone: lengths,
    url: lengths,
    number: [...range, 'step'],
    integer: [...range, 'step'],
    money: [...range, 'step'],
    date: range,
    time: range,
    datetime: range,
    boolean: [],
    select: [],
    radio: [],
    multiselect: items,
    checkbox: items,
    file: [...items, 'accept', 'maxSizeMb'],
    registry: items,
    address: [],
    country: [],
    signature: [],
    hidden: [],
    heading: [],
    consent: [],
  };
  function isList({ type, options, validation }) {
    if (type === 'multiselect') return true;
    if (type === 'checkbox') return options !== undefined;
    return (type === 'file' || type === 'registry') && (validation?.maxItems ?? 1) > 1;
  }
  function asksNothing({ type }) {
    return type === 'heading';
  }

  function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
  function ownMember(object, name) {
    return Object.hasOwn(object, name) ? object[name] : undefined;
  }

  return { fieldTypes, rulesOf, isList, asksNothing, isRecord, ownMember };
})();
const module8 = (() => {
  const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
  const timePattern = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
  const offsetPattern = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i;
  const clockPattern = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?/;
  function isDate(text) {
    const [, year = '', month = '', day = ''] = datePattern.exec(text) ?? [];
    if (year === '' || Number(year) < 1) return false;
    const days = new Date(0);
    days.setUTCFullYear(Number(year), Number(month), 0);
    return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
  }
  function isTime(text) {
    return timePattern.test(text);
  }
  function isDatetime(text) {
    if (!isDate(text.slice(0, 10)) || text[10] !== 'T') return false;
    const rest = text.slice(11);
    const clock = clockPattern.exec(rest)?.[0];
    if (clock === undefined) return false;
    const offset = rest.slice(clock.length);
    return offset === '' || offsetPattern.test(offset);
  }

  return { isDate, isTime, isDatetime };
})();
const module9 = (() => {
  const { isDate } = module8;
  const messageLocales = ['en', 'de', 'ar', 'ja'];

  const en = {
    required: 'Please answer this question.',
    text: 'Please enter text.',
    characters: 'Please remove characters that cannot be shown.',
    number: 'Please enter a number.',
    integer: 'Please enter a whole number.',
    digits: 'Too many digits: at most {limit} are kept exactly.',
    yesNo: 'Please choose yes or no.',
    list: 'Please choose from the list.',
    option: 'Please choose one of the options.',
    duplicate: 'This was chosen twice.',
    email: 'Please enter an e-mail address, such as name@example.com.',
    phone: 'Please enter a phone number, such as +44 20 7946 0000.',
    url: 'Please enter a web address that begins with https:// or http://.',
    country: 'Please choose a country.',
    currency: 'Please choose a currency.',
    money: 'Please enter an amount, such as 12.50.',
    date: 'Please enter a date.',
    time: 'Please enter a time of day.',
    datetime: 'Please enter a date and a time.',
    address: 'Please enter an address.',
    upload: 'Please upload the file again.',
    record: 'Please choose an entry.',
    signature: 'Please sign.',
    consent: 'Please agree to go on.',
    min: 'Too small: the minimum is {limit}.',
    max: 'Too large: the maximum is {limit}.',
    step: 'Only multiples of {limit} are allowed.',
    minLength: 'Too short: the minimum length is {limit}.',
    maxLength: 'Too long: the maximum length is {limit}.',
    lines: 'Too many lines: the maximum is {limit}. Please use fewer line breaks.',
    pattern: 'Please use the required format.',
    patternTime: 'We could not check this format in time. Please shorten the answer, or try again later.',
    minItems: 'Please choose at least {limit}.',
    maxItems: 'Please choose at most {limit}.',
    accept: 'Files of this type are not accepted.',
    maxSizeMb: 'The file is too large: the maximum is {limit} MB.',
  };

  const de = {
    required: 'Bitte beantworten Sie diese Frage.',
    text: 'Bitte geben Sie Text ein.',
    characters: 'Bitte entfernen Sie Zeichen, die nicht dargestellt werden können.',
    number: 'Bitte geben Sie eine Zahl ein.',
    integer: 'Bitte geben Sie eine ganze Zahl ein.',
    digits: 'Zu viele Ziffern: Höchstens {limit} werden genau übernommen.',
    yesNo: 'Bitte wählen Sie Ja oder Nein.',
    list: 'Bitte wählen Sie aus der Liste.',
    option: 'Bitte wählen Sie eine der Möglichkeiten.',
    duplicate: 'Das wurde zweimal gewählt.',
    email: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    phone: 'Bitte geben Sie eine Telefonnummer ein, etwa +49 30 901820.',
    url: 'Bitte geben Sie eine Webadresse ein, die mit https:// oder http:// beginnt.',
    country: 'Bitte wählen Sie ein Land.',
    currency: 'Bitte wählen Sie eine Währung.',
    money: 'Bitte geben Sie einen Betrag ein, etwa 12,50.',
    date: 'Bitte geben Sie ein Datum ein.',
    time: 'Bitte geben Sie eine Uhrzeit ein.',
    datetime: 'Bitte geben Sie Datum und Uhrzeit ein.',
    address: 'Bitte geben Sie eine Anschrift ein.',
    upload: 'Bitte laden Sie die Datei noch einmal hoch.',
    record: 'Bitte wählen Sie einen Eintrag.',
    signature: 'Bitte unterschreiben Sie.',
    consent: 'Bitte stimmen Sie zu, um fortzufahren.',
    min: 'Zu klein: Mindestens {limit} ist möglich.',
    max: 'Zu groß: Höchstens {limit} ist möglich.',
    step: 'Hier sind nur Vielfache von {limit} möglich.',
    minLength: 'Zu kurz: Die Mindestlänge ist {limit}.',
    maxLength: 'Zu lang: Die Höchstlänge ist {limit}.',
    lines: 'Zu viele Zeilen: Höchstens {limit} sind möglich. Bitte verwenden Sie weniger Zeilenumbrüche.',
    pattern: 'Bitte verwenden Sie das verlangte Format.',
    patternTime: 'Das Format konnte nicht rechtzeitig geprüft werden. Bitte kürzen Sie die Antwort, oder versuchen Sie es später erneut.',
    minItems: 'Bitte wählen Sie mindestens {limit}.',
    maxItems: 'Bitte wählen Sie höchstens {limit}.',
    accept: 'Dateien dieses Typs werden nicht akzeptiert.',
    maxSizeMb: 'Die Datei ist zu groß: Höchstens {limit} MB sind möglich.',
  };

  const ar = {
    required: 'يرجى الإجابة عن هذا السؤال.',
    text: 'يرجى إدخال نص.',
    characters: 'يرجى إزالة الأحرف التي لا يمكن عرضها.',
    number: 'يرجى إدخال رقم.',
    integer: 'يرجى إدخال عدد صحيح.',
    digits: 'عدد الأرقام كبير جدًا: الحد الأقصى الذي يُحفظ بدقة هو {limit}.',
    yesNo: 'يرجى اختيار نعم أو لا.',
    list: 'يرجى الاختيار من القائمة.',
    option: 'يرجى اختيار أحد الخيارات.',
    duplicate: 'تم اختيار هذا مرتين.',
    email: 'يرجى إدخال عنوان بريد إلكتروني، مثل name@example.com.',
    phone: 'يرجى إدخال رقم هاتف، مثل ‎+971 4 123 4567.',
    url: 'يرجى إدخال عنوان ويب يبدأ بـ ‎https:// أو ‎http://.',
    country: 'يرجى اختيار بلد.',
    currency: 'يرجى اختيار عملة.',
    money: 'يرجى إدخال مبلغ، مثل 12.50.',
    date: 'يرجى إدخال تاريخ.',
    time: 'يرجى إدخال وقت.',
    datetime: 'يرجى إدخال التاريخ والوقت.',
    address: 'يرجى إدخال عنوان.',
    upload: 'يرجى تحميل الملف مرة أخرى.',
    record: 'يرجى اختيار أحد المدخلات.',
    signature: 'يرجى التوقيع.',
    consent: 'يرجى الموافقة للمتابعة.',
    min: 'القيمة صغيرة جدًا: الحد الأدنى هو {limit}.',
    max: 'القيمة كبيرة جدًا: الحد الأقصى هو {limit}.',
    step: 'يُسمح هنا بمضاعفات {limit} فقط.',
    minLength: 'النص قصير جدًا: الحد الأدنى للطول هو {limit}.',
    maxLength: 'النص طويل جدًا: الحد الأقصى للطول هو {limit}.',
    lines: 'عدد الأسطر كبير جدًا: الحد الأقصى هو {limit}. يُرجى تقليل فواصل الأسطر.',
    pattern: 'يرجى استخدام التنسيق المطلوب.',
    patternTime: 'تعذر التحقق من التنسيق في الوقت المحدد. يرجى اختصار الإجابة أو إعادة المحاولة لاحقًا.',
    minItems: 'يرجى اختيار {limit} على الأقل.',
    maxItems: 'يرجى اختيار {limit} على الأكثر.',
    accept: 'لا تُقبل هنا ملفات من هذا النوع.',
    maxSizeMb: 'الملف كبير جدًا: الحد الأقصى هو {limit} ميغابايت.',
  };

  const ja = {
    required: 'この質問に回答してください。',
    text: '文字を入力してください。',
    characters: '表示できない文字を削除してください。',
    number: '数値を入力してください。',
    integer: '整数を入力してください。',
    digits: '桁数が多すぎます。正確に保存できるのは{limit}桁までです。',
    yesNo: '「はい」または「いいえ」を選択してください。',
    list: '一覧から選択してください。',
    option: '選択肢の中から選択してください。',
    duplicate: '同じものが重複して選択されています。',
    email: 'メールアドレスを入力してください(例:name@example.com)。',
    phone: '電話番号を入力してください(例:+81 3 1234 5678)。',
    url: 'https:// または http:// で始まるウェブアドレスを入力してください。',
    country: '国を選択してください。',
    currency: '通貨を選択してください。',
    money: '金額を入力してください(例:12.50)。',
    date: '日付を入力してください。',
    time: '時刻を入力してください。',
    datetime: '日付と時刻を入力してください。',
    address: '住所を入力してください。',
    upload: 'ファイルをもう一度アップロードしてください。',
    record: '項目を選択してください。',
    signature: '署名してください。',
    consent: '続けるには同意が必要です。',
    min: '値が小さすぎます。最小値は {limit} です。',
    max: '値が大きすぎます。最大値は {limit} です。',
    step: '{limit} の倍数のみ入力できます。',
    minLength: '短すぎます。最小の長さは {limit} です。',
    maxLength: '長すぎます。最大の長さは {limit} です。',
    lines: '行数が多すぎます。最大 {limit} 行です。改行を減らしてください。',
    pattern: '指定された形式で入力してください。',
    patternTime: '時間内に形式を確認できませんでした。回答を短くするか、後でもう一度お試しください。',
    minItems: '{limit} 個以上選択してください。',
    maxItems: '選択できるのは {limit} 個までです。',
    accept: 'この種類のファイルは受け付けていません。',
    maxSizeMb: 'ファイルが大きすぎます。最大は {limit} MB です。',
  };

  const early = {
    en: { min: 'Too early: the earliest is {limit}.', max: 'Too late: the latest is {limit}.' },
    de: { min: 'Zu früh: Frühestens {limit} ist möglich.', max: 'Zu spät: Spätestens {limit} ist möglich.' },
    ar: { min: 'مبكر جدًا: أقرب موعد هو {limit}.', max: 'متأخر جدًا: آخر موعد هو {limit}.' },
    ja: { min: '早すぎます。最も早いのは {limit} です。', max: '遅すぎます。最も遅いのは {limit} です。' },
  };

  const words = { en, de, ar, ja };
  function messageLocale(locale) {
    const base = locale.toLowerCase().split('-')[0];
    return messageLocales.find((one) => one === base) ?? 'en';
  }
  function messageOf({ rule, limit }, locale) {
    const ours = messageLocale(locale);
    const text = typeof limit === 'string' && (rule === 'min' || rule === 'max') ? early[ours][rule] : words[ours][rule];
    return limit === undefined ? text : text.replace('{limit}', () => shown(limit, ours));
  }

  function shown(limit, locale) {
    if (typeof limit === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 10 }).format(limit);
    return isDate(limit) ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(limit)) : limit;
  }

  return { messageLocales, messageLocale, messageOf };
})();
const module10 = (() => {
  const known = new WeakMap();
  function optionsById(options) {
    const found = known.get(options);
    if (found) return found;
    const made = new Map(options.toReversed().map((option) => [option.id, option]));
    known.set(options, made);
    return made;
  }

  return { optionsById };
})();
const module11 = (() => {
  const baseOf = (locale) => locale.toLowerCase().split('-')[0];
  function serving(wanted, offered) {
    const same = offered.find((one) => one.toLowerCase() === wanted.toLowerCase());
    return same ?? offered.find((one) => baseOf(one) === baseOf(wanted));
  }
  function resolveText(text, locale, defaultLocale) {
    if (typeof text === 'string') return text;
    const offered = Object.keys(text);
    const chosen = serving(locale, offered) ?? serving(defaultLocale, offered) ?? offered[0];
    return chosen === undefined ? '' : (text[chosen] ?? '');
  }
  function chooseLocale({ wanted, accepted = '' }, offered, defaultLocale) {
    const preferred = accepted
      .slice(0, 1_000)
      .split(',')
      .map((one) => {
        const [tag = '', ...parameters] = one.trim().split(';');
        const weight = parameters.find((parameter) => parameter.trim().startsWith('q='));
        return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0 };
      })
      .filter(({ tag, weight }) => tag !== '' && weight > 0)
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ tag }) => tag);
    for (const tag of wanted === undefined ? preferred : [wanted, ...preferred]) {
      const found = serving(tag, offered);
      if (found !== undefined) return found;
    }
    return defaultLocale;
  }
  function resolveFields(fields, locale, defaultLocale) {
    const inWords = (text) => resolveText(text, locale, defaultLocale);
    return fields.map(({ label, help, placeholder, options, validation, ...field }) => ({
      ...field,
      ...(label === undefined ? {} : { label: inWords(label) }),
      ...(help === undefined ? {} : { help: inWords(help) }),
      ...(placeholder === undefined ? {} : { placeholder: inWords(placeholder) }),
      ...(options === undefined
        ? {}
        : { options: options.map((option) => ({ id: option.id, label: option.label === undefined ? option.id : inWords(option.label) })) }),
      ...(validation === undefined ? {} : { validation: resolveMessage(validation, inWords) }),
    }));
  }

  function resolveMessage({ message, ...rules }, inWords) {
    return message === undefined ? rules : { ...rules, message: inWords(message) };
  }

  return { resolveText, chooseLocale, resolveFields };
})();
const module12 = (() => {
  const { isRecord } = module7;
  const { messageLocale } = module9;
  const { optionsById } = module10;
  const { resolveText } = module11;

  const yes = { en: 'Yes', de: 'Ja', ar: 'نعم', ja: 'はい' };
  const no = { en: 'No', de: 'Nein', ar: 'لا', ja: 'いいえ' };
  function answerText(field, value, locale, defaultLocale = locale) {
    if (Array.isArray(value)) return value.map((one) => answerText(field, one, locale, defaultLocale)).join('\n');
    if (typeof value === 'boolean') return (value ? yes : no)[messageLocale(locale)];
    if (typeof value === 'number') return inLocale(locale, (one) => numberText(value, one));
    if (isRecord(value)) return compositeText(field, value, locale);
    if (typeof value !== 'string') return '';
    const label = field.options && optionsById(field.options).get(value)?.label;
    if (label !== undefined) return resolved(label, locale, defaultLocale);
    if (field.type === 'country')
      return inLocale(locale, (one) => new Intl.DisplayNames(one, { type: 'region' }).of(value) ?? value, value);
    if (field.type === 'date') return dateText(value, locale);
    return value;
  }
  function recordText(values) {
    const words = values.map(wordsOf).filter((text) => text !== '');
    const line = words.slice(0, 3).join(' · ').slice(0, 301);
    return line.length <= 300 ? line : line.slice(0, 300).replace(/[\uD800-\uDBFF]$/, '');
  }

  function wordsOf(value) {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (!isRecord(value)) return '';
    const { value: text, amount, currency } = value;
    if (typeof text === 'string') return text;
    return typeof amount === 'string' && typeof currency === 'string' ? `${amount} ${currency}` : '';
  }

  const resolved = (text, locale, defaultLocale) => resolveText(text, locale, defaultLocale);

  function compositeText({ type }, value, locale) {
    const text = (name) => (typeof value[name] === 'string' ? value[name] : '');
    if (type === 'money') return moneyText(text('amount'), text('currency'), locale);
    if (type === 'signature') return text('name') || text('fileId');
    return text('value');
  }
  const numberText = (value, locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(String(value));

  function moneyText(amount, currency, locale) {
    const plain = `${amount} ${currency}`.trim();
    const format = (one) => new Intl.NumberFormat(one, { style: 'currency', currency, currencyDisplay: 'code', maximumFractionDigits: 4 });
    return inLocale(locale, (one) => format(one).format(amount), plain);
  }

  function dateText(value, locale) {
    const day = new Date(`${value}T00:00:00Z`);
    if (Number.isNaN(day.getTime())) return value;
    return inLocale(locale, (one) => new Intl.DateTimeFormat(one, { dateStyle: 'long', timeZone: 'UTC' }).format(day), value);
  }
  function inLocale(locale, format, otherwise = '') {
    for (const one of [locale, 'en']) {
      try {
        return format(one);
      } catch {}
    }
    return otherwise;
  }

  return { answerText, recordText };
})();
const module13 = (() => {
  const { isRecord } = module7;
  function isEmpty(answer) {
    return answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);
  }
  function holds(condition, answerOf, choices = new Map()) {
    return combine(condition, (one) => matches(one, answerOf(one.field), choices)) === true;
  }
  function evaluateCondition(condition, answerOf) {
    const isKnown = knownIn(condition, answerOf);
    const choices = new Map();
    return combine(condition, (one) => (isKnown(one) ? matches(one, answerOf(one.field), choices) : 'unknown'));
  }
  function fieldsMissing(condition, answerOf) {
    const isKnown = knownIn(condition, answerOf);
    return [...new Set(comparisonsIn(condition).flatMap((one) => (isKnown(one) ? [] : [one.field])))];
  }
  function knownIn(condition, answerOf) {
    const comparisons = comparisonsIn(condition);
    const expected = new Set(comparisons.flatMap((one) => ('empty' in one ? [one.field] : [])));
    const currencies = new Set(comparisons.flatMap((one) => amountsOf(one).map(({ currency }) => JSON.stringify([one.field, currency]))));
    return (one) => {
      const answer = answerOf(one.field);
      if (isEmpty(answer)) return expected.has(one.field);
      const currency = isRecord(answer) ? answer.currency : undefined;
      if (amountsOf(one).length === 0 && (currency === undefined || 'empty' in one)) return true;
      return currencies.has(JSON.stringify([one.field, currency]));
    };
  }
  function combine(condition, evaluate) {
    if ('not' in condition) {
      const result = combine(condition.not, evaluate);
      return result === 'unknown' ? result : !result;
    }
    if (!('all' in condition) && !('any' in condition)) return evaluate(condition);
    const [parts, decisive] = 'any' in condition ? [condition.any, true] : [condition.all, false];
    let combined = !decisive;
    for (const one of parts) {
      const result = combine(one, evaluate);
      if (result === decisive) return decisive;
      if (result === 'unknown') combined = result;
    }
    return combined;
  }

  function matches(comparison, answer, choices) {
    if ('empty' in comparison) return isEmpty(answer) === comparison.empty;
    if ('eq' in comparison) return isOneOf(answer, [comparison.eq], choices);
    if ('ne' in comparison) return !isOneOf(answer, [comparison.ne], choices);
    if ('in' in comparison) return isOneOf(answer, comparison.in, choices);
    if ('gt' in comparison) return compare(answer, comparison.gt) > 0;
    return compare(answer, comparison.lt) < 0;
  }
  function amountsOf(comparison) {
    const values =
      'in' in comparison ? comparison.in : Object.entries(comparison).flatMap(([name, value]) => (name === 'field' ? [] : [value]));
    return values.filter(isRecord);
  }
  function comparisonsIn(condition) {
    if ('all' in condition) return condition.all.flatMap(comparisonsIn);
    if ('any' in condition) return condition.any.flatMap(comparisonsIn);
    return 'not' in condition ? comparisonsIn(condition.not) : [condition];
  }
  function fieldsNamed(condition) {
    return new Set(comparisonsIn(condition).map(({ field }) => field));
  }
  const isSameCurrency = (answer, value) => !isRecord(value) || (isRecord(answer) && answer.currency === value.currency);
  function isOneOf(answer, values, choices) {
    if (!Array.isArray(answer)) {
      const own = identityOf(answer);
      return values.some((value) => isSameCurrency(answer, value) && identityOf(value) === own);
    }
    const chosen = choices.get(answer) ?? new Set(answer.flat(Infinity).map(identityOf));
    choices.set(answer, chosen);
    return values.some((value) => chosen.has(identityOf(value)));
  }
  function identityOf(answer) {
    const place = placeOf(answer);
    return typeof place === 'string' || Number.isFinite(place) ? place : answer;
  }
  function compare(answer, value) {
    if (!isSameCurrency(answer, value)) return Number.NaN;
    const [a, b] = [placeOf(answer), placeOf(value)];
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
    return Number.NaN;
  }

  const time = /^\d\d:\d\d$/;
  const wallClock = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;
  function placeOf(value) {
    if (typeof value === 'number') return value;
    if (isRecord(value)) return typeof value.amount === 'string' || typeof value.amount === 'number' ? Number(value.amount) : undefined;
    if (typeof value !== 'string') return undefined;
    if (time.test(value)) return `${value}:00`;
    if (moment.test(value)) return Date.parse(value);
    return wallClock.test(value) ? Date.parse(`${value}Z`) : value;
  }

  return { isEmpty, holds, evaluateCondition, fieldsMissing, comparisonsIn, fieldsNamed, placeOf };
})();
const module14 = (() => {
  const countries = new Set(
    (
      'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH ' +
      'CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN ' +
      'GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI ' +
      'LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM ' +
      'PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD ' +
      'TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
    ).split(' '),
  );

  let known;
  function currencies() {
    known ??= new Set(Intl.supportedValuesOf('currency'));
    return known;
  }

  return { countries, currencies };
})();
const module15 = (() => {
  const exactDigits = 15;

  const written = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
  const longestNumber = 400;
  const isNumber = (text) => written.test(text);
  const numberOf = (text) => (isExact(text) ? Number(text) : text);
  function isExact(text) {
    if (text.length > longestNumber) return false;
    const digits = significant(text);
    return digits !== undefined && digits === significant(String(Number(text)));
  }
  function significant(text) {
    const [all, sign = '', whole = '', decimals = '', exponent = '0'] = written.exec(text) ?? [];
    if (all === undefined) return undefined;
    const digits = `${whole}${decimals}`.replace(/^0+/, '');
    const bare = digits.replace(/0+$/, '');
    return bare === '' ? '0' : `${sign === '-' ? '-' : ''}${bare}e${Number(exponent) - decimals.length + digits.length - bare.length}`;
  }

  return { exactDigits, isNumber, numberOf, isExact };
})();
const module16 = (() => {
  const { isDate, isDatetime, isTime } = module8;
  const { placeOf } = module13;
  const { countries, currencies } = module14;
  const { isList, isRecord } = module7;
  const { exactDigits, isExact, isNumber } = module15;
  const { optionsById } = module10;
  const longest = { text: 1_000, textarea: 10_000, email: 254, phone: 40, url: 2_048 };
  const maxLines = { ofOne: 1_000, ofAll: 4_000 };
  const furtherLines = (value) => (typeof value === 'string' ? value.split('\n').length - 1 : 0);
  function breachesOf(field, value, matches) {
    if (isList(field)) return listBreaches(field, value);
    switch (field.type) {
      case 'text':
      case 'textarea':
      case 'email':
      case 'phone':
      case 'url':
        return textBreaches(field, value, matches);
      case 'number':
      case 'integer':
        return numberBreaches(field, value);
      case 'money':
        return moneyBreaches(field, value);
      case 'date':
      case 'time':
      case 'datetime':
        return momentBreaches(field.type, field.validation ?? {}, value);
      case 'boolean':
        return typeof value === 'boolean' ? [] : [{ rule: 'yesNo' }];
      case 'consent':
      case 'checkbox':
        return value === true ? [] : [{ rule: field.type === 'consent' ? 'consent' : 'yesNo' }];
      case 'address':
        return addressBreaches(value);
      case 'signature':
        return signatureBreaches(value);
      case 'hidden':
      case 'heading':
        return [];
      default:
        return itemBreaches(field, value);
    }
  }

  const control = /[\p{Cc}\p{Cs}]/u;
  const controlButLines = /[^\P{Cc}\n\t]|\p{Cs}/u;
  function isPlain(text, lines = false) {
    return !(lines ? controlButLines : control).test(text);
  }

  function textBreaches({ type, validation = {} }, value, matches) {
    if (typeof value !== 'string') return [{ rule: 'text' }];
    if (!isPlain(value, type === 'textarea')) return [{ rule: 'characters' }];
    const most = validation.maxLength ?? longest[type] ?? 1_000;
    const length = value.length > most || validation.minLength !== undefined ? Array.from(value).length : 0;
    if (length > most) return [{ rule: 'maxLength', limit: most }];
    if (validation.minLength !== undefined && length < validation.minLength) return [{ rule: 'minLength', limit: validation.minLength }];
    if (furtherLines(value) >= maxLines.ofOne) return [{ rule: 'lines', limit: maxLines.ofOne }];
    const known = kinds[type];
    if (known && !known.is(value)) return [{ rule: known.rule }];
    const fits = validation.pattern === undefined || matches(validation.pattern, value);
    return fits ? [] : [{ rule: fits === undefined ? 'patternTime' : 'pattern' }];
  }

  const kinds = {
    email: { rule: 'email', is: isEmail },
    phone: { rule: 'phone', is: isPhone },
    url: { rule: 'url', is: isWebAddress },
  };
  function isEmail(text) {
    const at = text.lastIndexOf('@');
    const [name, domain] = [text.slice(0, at), text.slice(at + 1)];
    if (at < 1 || name.length > 64 || /[\s@"(),:;<>[\]\\]/.test(name) || name.startsWith('.') || name.endsWith('.')) return false;
    const labels = domain.split('.');
    return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label));
  }

  function isPhone(text) {
    const digits = text.replaceAll(/\D/g, '').length;
    return /^\+?[\d\s()./-]+$/.test(text) && digits >= 4 && digits <= 15;
  }

  function isWebAddress(text) {
    return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
  }

  function numberBreaches({ type, validation = {} }, value) {
    if (typeof value === 'string' && isNumber(value) && !isExact(value)) return [{ rule: 'digits', limit: exactDigits }];
    if (typeof value !== 'number' || !Number.isFinite(value)) return [{ rule: type === 'integer' ? 'integer' : 'number' }];
    if (type === 'integer' && !Number.isSafeInteger(value))
      return [Number.isInteger(value) ? { rule: 'digits', limit: exactDigits } : { rule: 'integer' }];
    return rangeBreaches(validation, value);
  }
  function rangeBreaches(validation, value, digits) {
    const { min, max, step } = validation;
    const at = placeOf(value);
    if (min !== undefined && isBefore(at, placeOf(min))) return [{ rule: 'min', limit: min }];
    if (max !== undefined && isBefore(placeOf(max), at)) return [{ rule: 'max', limit: max }];
    if (step === undefined || typeof value !== 'number') return [];
    return isMultiple(digits ?? digitsOf(value), typeof min === 'number' ? min : 0, step) ? [] : [{ rule: 'step', limit: step }];
  }

  const isBefore = (a, b) => typeof a === typeof b && a !== undefined && b !== undefined && a < b;
  const digitsOf = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
  const maxDigits = 60;
  function isMultiple(digits, from, step) {
    const parts = [digits, String(from), String(step)].map((written) => {
      const [, sign = '', whole = '0', decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(written) ?? [];
      return { digits: BigInt(`${sign}${whole}${decimals}`), exponent: Number(exponent) - decimals.length };
    });
    const least = Math.min(...parts.map(({ exponent }) => exponent));
    if (parts.some(({ exponent }) => exponent - least > maxDigits)) return Number.isInteger((Number(digits) - from) / step);
    const [at = 0n, begin = 0n, each = 1n] = parts.map((part) => part.digits * 10n ** BigInt(part.exponent - least));
    return (at - begin) % each === 0n;
  }

  const amount = /^-?\d{1,15}(?:\.\d{1,4})?$/;

  function moneyBreaches({ options, validation = {} }, value) {
    if (!isRecord(value) || typeof value.amount !== 'string' || !amount.test(value.amount) || !hasOnly(value, ['amount', 'currency']))
      return [{ rule: 'money' }];
    const { currency } = value;
    const known = options ? options.some(({ id }) => id === currency) : typeof currency === 'string' && currencies().has(currency);
    return known ? rangeBreaches(validation, Number(value.amount), value.amount) : [{ rule: 'currency', at: '/currency' }];
  }

  const moments = { date: isDate, time: isTime, datetime: isDatetime };

  function momentBreaches(type, validation, value) {
    return typeof value === 'string' && moments[type](value) ? rangeBreaches(validation, value) : [{ rule: type }];
  }

  const addressTexts = ['value', 'street', 'city', 'region', 'postalCode', 'country'];

  function addressBreaches(value) {
    if (!isRecord(value) || typeof value.value !== 'string' || !hasOnly(value, [...addressTexts, 'latitude', 'longitude']))
      return [{ rule: 'address' }];
    const place = [value.latitude ?? 0, value.longitude ?? 0];
    if (!place.every((one) => typeof one === 'number' && Math.abs(one) <= 180)) return [{ rule: 'address' }];
    return addressTexts.flatMap((name) => {
      const text = value[name] ?? '';
      if (typeof text !== 'string') return [{ rule: 'text', at: `/${name}` }];
      if (Array.from(text).length > 500) return [{ rule: 'maxLength', limit: 500, at: `/${name}` }];
      return isPlain(text, true) ? [] : [{ rule: 'characters', at: `/${name}` }];
    });
  }

  function signatureBreaches(value) {
    if (!isRecord(value) || !hasOnly(value, ['name', 'fileId'])) return [{ rule: 'signature' }];
    const { name, fileId } = value;
    if (name === undefined && fileId === undefined) return [{ rule: 'signature' }];
    if (fileId !== undefined && !isIdentifier(fileId)) return [{ rule: 'upload', at: '/fileId' }];
    if (name === undefined) return [];
    if (typeof name !== 'string') return [{ rule: 'text', at: '/name' }];
    if (Array.from(name).length > 255) return [{ rule: 'maxLength', limit: 255, at: '/name' }];
    return isPlain(name) ? [] : [{ rule: 'characters', at: '/name' }];
  }

  const hasOnly = (value, names) => Object.keys(value).every((name) => names.includes(name));

  function listBreaches(field, value) {
    if (!Array.isArray(value)) return [{ rule: 'list' }];
    const { minItems = 0, maxItems = field.options?.length ?? 1 } = field.validation ?? {};
    if (value.length > maxItems) return [{ rule: 'maxItems', limit: maxItems }];
    if (value.length < minItems) return [{ rule: 'minItems', limit: minItems }];
    const seen = new Set();
    return value.flatMap((item, place) => {
      const breach = seen.has(item) ? { rule: 'duplicate' } : itemBreaches(field, item)[0];
      seen.add(item);
      return breach ? [{ ...breach, at: `/${place}` }] : [];
    });
  }
  function itemBreaches({ type, options }, value) {
    if (type === 'file') return isIdentifier(value) ? [] : [{ rule: 'upload' }];
    if (type === 'registry') return isIdentifier(value) ? [] : [{ rule: 'record' }];
    if (type === 'country') return typeof value === 'string' && countries.has(value) ? [] : [{ rule: 'country' }];
    return options && typeof value === 'string' && optionsById(options).has(value) ? [] : [{ rule: 'option' }];
  }
  function isIdentifier(value) {
    return typeof value === 'string' && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value);
  }

  return { longest, maxLines, furtherLines, breachesOf, isIdentifier };
})();
const module17 = (() => {
  const { isList } = module7;
  const { numberOf } = module15;
  function answersFromForm(fields, entries, locale, by = 'hand') {
    const sent = new Map();
    for (const [name, text] of entries) sent.set(name, [...(sent.get(name) ?? []), text]);
    const one = (name) => sent.get(name)?.at(-1) ?? '';
    const plain = (text) => plainNumber(text, locale, by);
    return Object.fromEntries(
      fields.flatMap((field) => {
        const value = isList(field) ? (sent.get(field.id) ?? []).filter((text) => text !== '') : readOne(field, one, plain);
        return value === undefined || value === '' ? [] : [[field.id, value]];
      }),
    );
  }

  const parts = {
    address: ['value', 'street', 'city', 'region', 'postalCode', 'country'],
    signature: ['name', 'fileId'],
  };

  function readOne(field, one, numberIn) {
    const { id, type } = field;
    const text = one(id);
    switch (type) {
      case 'number':
      case 'integer': {
        const plain = numberIn(text);
        return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? numberOf(plain) : text;
      }
      case 'boolean':
        return text === 'true' || (text === 'false' ? false : text);
      case 'consent':
      case 'checkbox':
        return text !== '' && text !== 'false';
      case 'money': {
        const amount = numberIn(one(`${id}.amount`));
        return amount === '' ? undefined : { amount, currency: one(`${id}.currency`) };
      }
      case 'address':
      case 'signature': {
        const given = parts[type].map((part) => [part, one(`${id}.${part}`)]).filter(([, value]) => value.trim() !== '');
        return given.length === 0 ? text : Object.fromEntries(given);
      }
      default:
        return text;
    }
  }

  const zeros = ['\u0660', '\u06f0', '\u0966', '\uff10'];
  function plainNumber(text, locale, by) {
    const digits = text.trim().replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (digit) => {
      const zero = zeros.findLast((one) => one <= digit) ?? '0';
      return String((digit.codePointAt(0) ?? 0) - (zero.codePointAt(0) ?? 0));
    });
    const plain = digits
      .replaceAll('\u066b', '.')
      .replaceAll(/[\s\u066c\u2019']/g, '')
      .replace('\u2212', '-');
    const { group, decimal } = marksOf(locale);
    const whole = by === 'hand' && isGrouped(plain, group, decimal) ? plain.replaceAll(group, '') : plain;
    return decimal === ',' && /^[+-]?\d+,\d+$/.test(whole) ? whole.replace(',', '.') : whole;
  }

  function isGrouped(text, group, decimal) {
    const [whole = '', rest = '', ...more] = text.split(decimal);
    const [first = '', ...groups] = whole.split(group);
    const grouped = groups.length > 0 && /^[+-]?[1-9]\d{0,2}$/.test(first) && groups.every((one) => /^\d{3}$/.test(one));
    return grouped && more.length === 0 && (text === whole || /^\d+$/.test(rest));
  }
  function marksOf(locale) {
    try {
      const shown = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567.5);
      const mark = (type) => shown.find((part) => part.type === type)?.value;
      return { group: mark('group') ?? ',', decimal: mark('decimal') ?? '.' };
    } catch {
      return { group: ',', decimal: '.' };
    }
  }
  function localAmount(amount, locale) {
    return /^-?\d+\.\d+$/.test(amount) ? amount.replace('.', marksOf(locale).decimal === ',' ? ',' : '.') : amount;
  }

  return { answersFromForm, localAmount };
})();
const module18 = (() => {
  const { isRecord, ownMember } = module7;

  const texts = (value) => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  function uploadsIn(fields, values) {
    return fields.flatMap(({ id, type }) => {
      const value = ownMember(values, id);
      if (type === 'signature') return isRecord(value) ? texts(value.fileId).map((fileId) => ({ field: id, fileId })) : [];
      return type === 'file' ? texts(value).map((fileId) => ({ field: id, fileId })) : [];
    });
  }
  function recordsIn(fields, values) {
    return fields.flatMap(({ id, type, registryTypeId }) => {
      if (type !== 'registry' || registryTypeId === undefined) return [];
      return texts(ownMember(values, id)).map((recordId) => ({ field: id, registryTypeId, recordId }));
    });
  }

  return { uploadsIn, recordsIn };
})();
const module19 = (() => {
  const { isEmpty } = module13;
  const { isRecord, ownMember } = module7;
  const oneLine = new Set(['text', 'email', 'phone', 'url', 'date', 'time', 'datetime', 'country', 'select', 'radio']);
  function normalAnswers(fields, given) {
    const data = isRecord(given) ? given : {};
    return Object.fromEntries(
      fields.flatMap((field) => {
        const value = field.type === 'hidden' ? field.default : normalValue(field, ownMember(data, field.id));
        return isEmpty(value) || field.type === 'heading' ? [] : [[field.id, value]];
      }),
    );
  }
  function normalValue(field, value) {
    if (typeof value === 'string') return normalText(field, value);
    if (value === false && (field.type === 'consent' || (field.type === 'checkbox' && !field.options))) return undefined;
    if (!isRecord(value) || !composite.has(field.type)) return value;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const normal = typeof member === 'string' ? composed(member).trim() : member;
      return isEmpty(normal) ? [] : [[name, normal]];
    });
    const normal = Object.fromEntries(members);
    return members.length === 0 || (field.type === 'money' && normal.amount === undefined) ? undefined : normal;
  }

  const composite = new Set(['money', 'address', 'signature']);
  function composed(text) {
    const normal = divided(text).normalize('NFC');
    return normal === text ? text : divided(normal).normalize('NFC');
  }

  const divided = (text) => text.replaceAll(/(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu, '$&\u034F');

  function normalText({ type }, value) {
    const text = composed(value);
    if (type === 'textarea') return text.replaceAll(/\r\n?/g, '\n').trimEnd() || undefined;
    if (type === 'address') return text.trim() ? { value: text.trim() } : undefined;
    return (oneLine.has(type) ? text.trim() : text) || undefined;
  }

  return { normalAnswers, normalValue };
})();
const module20 = (() => {
  const { fieldsNamed, holds } = module13;
  const { ownMember } = module7;
  function visibleFields(fields, answers) {
    const shown = new Map();
    const answerOf = (id) => (shown.get(id) ? ownMember(answers, id) : undefined);
    const choices = new Map();
    for (const { id, visibleIf } of dependenciesFirst(fields))
      shown.set(id, visibleIf === undefined || holds(visibleIf, answerOf, choices));
    return new Set(fields.map(({ id }) => id).filter((id) => shown.get(id)));
  }
  function dependenciesFirst(fields) {
    const byId = new Map(fields.map((field) => [field.id, field]));
    const met = new Set();
    const ordered = [];
    for (const first of byId.values()) {
      const stack = [{ field: first, looked: false }];
      for (let top = stack.pop(); top; top = stack.pop()) {
        const { field, looked } = top;
        if (looked) ordered.push(field);
        if (looked || met.has(field.id)) continue;
        met.add(field.id);
        stack.push({ field, looked: true });
        const waitsFor = field.visibleIf ? [...fieldsNamed(field.visibleIf)] : [];
        stack.push(...waitsFor.flatMap((id) => byId.get(id) ?? []).map((next) => ({ field: next, looked: false })));
      }
    }
    return ordered;
  }

  return { visibleFields };
})();
const module21 = (() => {
  const { isEmpty } = module13;
  const { breachesOf, furtherLines, maxLines } = module16;
  const { asksNothing } = module7;
  const { messageOf } = module9;
  const { normalAnswers } = module19;
  const { resolveText } = module11;
  const { visibleFields } = module20;

  const most = 200;
  function checkAnswers(fields, given, judging) {
    const answers = normalAnswers(fields, given);
    const visible = visibleFields(fields, answers);
    const shown = fields.filter(({ id, type }) => visible.has(id) && !asksNothing({ type }));
    const values = Object.fromEntries(shown.flatMap(({ id }) => (Object.hasOwn(answers, id) ? [[id, answers[id]]] : [])));
    const errors = [];
    let lines = 0;
    for (const field of shown) {
      if (errors.length >= most) break;
      const own = judge(field, values[field.id], judging);
      const more = furtherLines(values[field.id]);
      lines += more;
      const over = own.length === 0 && more > 0 && lines > maxLines.ofAll;
      const reported = over ? [inWords(field, { rule: 'lines', limit: maxLines.ofAll }, judging)] : own;
      errors.push(...reported.slice(0, most - errors.length));
    }
    return { values, visible, errors };
  }
  function judge(field, value, judging) {
    const breaches = isEmpty(value) ? missing(field) : breachesOf(field, value, judging.matches ?? (() => true));
    return breaches.map((breach) => inWords(field, breach, judging));
  }

  function inWords(field, breach, { locale, defaultLocale, reasonOf, at = '/data' }) {
    return {
      name: field.id,
      pointer: `${at}/${field.id}${breach.at ?? ''}`,
      reason: reasonOf?.(breach) ?? ownWords(field, breach, locale, defaultLocale) ?? messageOf(breach, locale),
      rule: breach.rule,
    };
  }

  function missing({ required, type }) {
    if (!required || type === 'hidden') return [];
    return [{ rule: type === 'consent' ? 'consent' : 'required' }];
  }

  const rules = new Set(['min', 'max', 'minLength', 'maxLength', 'pattern', 'step', 'minItems', 'maxItems']);
  function ownWords({ validation }, { rule }, locale, defaultLocale = locale) {
    return validation?.message !== undefined && rules.has(rule) ? resolveText(validation.message, locale, defaultLocale) : undefined;
  }

  return { checkAnswers, judge };
})();
const module22 = (() => {
  const { isRecord } = module7;

  const symbols = { eq: '=', ne: '≠', gt: '>', lt: '<' };

  const valueText = (value) => (isRecord(value) ? `${value.amount} ${value.currency}` : String(value));

  function comparisonText(comparison) {
    const { field } = comparison;
    if ('empty' in comparison) return comparison.empty ? `${field} has no answer` : `${field} has an answer`;
    if ('in' in comparison) return `${field} is one of ${comparison.in.map(valueText).join(', ')}`;
    const [operator = '=', value = ''] = Object.entries(symbols).flatMap(([name, symbol]) => {
      const given = comparison[name];
      return given === undefined ? [] : [symbol, valueText(given)];
    });
    return `${field} ${operator} ${value}`;
  }
  function conditionText(condition) {
    if ('not' in condition) return `not (${conditionText(condition.not)})`;
    if (!('all' in condition) && !('any' in condition)) return comparisonText(condition);
    const [parts, word] = 'all' in condition ? [condition.all, ' and '] : [condition.any, ' or '];
    return parts.map((one) => ('all' in one || 'any' in one ? `(${conditionText(one)})` : conditionText(one))).join(word);
  }

  return { conditionText };
})();
const module23 = (() => {
  return {
    answerText: module12.answerText,
    recordText: module12.recordText,
    isIdentifier: module16.isIdentifier,
    countries: module14.countries,
    comparisonsIn: module13.comparisonsIn,
    evaluateCondition: module13.evaluateCondition,
    fieldsMissing: module13.fieldsMissing,
    fieldsNamed: module13.fieldsNamed,
    holds: module13.holds,
    placeOf: module13.placeOf,
    fieldTypes: module7.fieldTypes,
    isList: module7.isList,
    ownMember: module7.ownMember,
    answersFromForm: module17.answersFromForm,
    localAmount: module17.localAmount,
    messageLocales: module9.messageLocales,
    messageOf: module9.messageOf,
    numberOf: module15.numberOf,
    optionsById: module10.optionsById,
    recordsIn: module18.recordsIn,
    uploadsIn: module18.uploadsIn,
    chooseLocale: module11.chooseLocale,
    resolveFields: module11.resolveFields,
    resolveText: module11.resolveText,
    checkAnswers: module21.checkAnswers,
    judge: module21.judge,
    visibleFields: module20.visibleFields,
    conditionText: module22.conditionText,
  };
})();
const module24 = (() => {
  const { all, debounce, find, make } = module0;

  const neverKept = new Set(['file', 'signature', 'consent', 'hidden']);
  const keyOf = (path) => `chancery-form:${new URL(path, location.href).pathname}`;
  function keptNames({ definition }) {
    const kept = new Set(definition.fields.filter(({ type }) => !neverKept.has(type)).map(({ id }) => id));
    return (/** @type {string} */ name) => kept.has(name.split('.')[0] ?? '');
  }
  function startKeeping(context) {
    const { form } = context;
    const isKept = keptNames(context);
    return debounce(() => {
      if (!form.isConnected) return;
      const entries = [];
      for (const [name, value] of new FormData(form))
        if (typeof value === 'string' && value !== '' && isKept(name)) entries.push([name, value]);
      const [version, step] = ['_version', '_step'].map((name) => find(form, `[name=${name}]`, HTMLInputElement)?.value ?? '');
      try {
        sessionStorage.setItem(keyOf(form.action), JSON.stringify({ version, step, entries }));
      } catch {}
    }, 300);
  }
  function restore(context) {
    const { form, definition } = context;
    if (form.dataset.fresh === undefined) return false;
    const kept = read(form.action);
    const version = find(form, '[name=_version]', HTMLInputElement)?.value;
    if (!kept || kept.version !== version || kept.entries.length === 0) return false;
    const isKept = keptNames(context);
    const values = Map.groupBy(
      kept.entries.filter(([name]) => isKept(name)),
      ([name]) => name,
    );
    for (const [name, entries] of values)
      fillIn(
        form,
        name,
        entries.map(([, value]) => value),
      );
    const { restored, startOver } = definition.words;
    const again = make('button', { type: 'button', class: 'link' }, startOver);
    again.addEventListener('click', () => {
      forget(form.action);
      location.reload();
    });
    find(form, '[data-top]', HTMLElement)?.after(make('p', { class: 'notice', role: 'status' }, restored, again));
    return true;
  }
  function fillIn(form, name, values) {
    for (const control of all(form, `[name="${CSS.escape(name)}"]`, HTMLElement)) {
      if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox'))
        control.checked = values.includes(control.value);
      else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement)
        control.value = values[0] ?? '';
    }
  }
  function read(path) {
    try {
      return JSON.parse(sessionStorage.getItem(keyOf(path)) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
  function forget(path) {
    try {
      sessionStorage.removeItem(keyOf(path));
    } catch {}
  }

  return { startKeeping, restore, forget };
})();
const module25 = (() => {
  const { all, debounce, find, make } = module0;
  const { mark } = module3;
  const { hidden, upload } = module5;
  function signatures(context) {
    const pads = all(context.form, '[data-signature]', HTMLElement).map((place) => pad(context, place));
    return {
      async goUp() {
        for (const one of pads) if (!(await one())) return false;
        return true;
      },
    };
  }
  function pad(context, place) {
    const { form, definition } = context;
    const { signature: words, file } = definition.words;
    const field = place.dataset.signature ?? '';
    const typed = find(place, '.typed', HTMLElement);
    const canvas = make('canvas', { class: 'pad', role: 'img', 'aria-label': words.pad });
    const clear = make('button', { type: 'button', class: 'button plain small' }, words.clear);
    const area = make('div', { hidden: true }, canvas, clear);
    const modes = [words.type, words.draw].map((label, at) => make('button', { type: 'button', 'aria-pressed': String(at === 0) }, label));
    place.prepend(make('div', { class: 'modes', role: 'group' }, ...modes));
    place.append(area);
    const drawing = draw(canvas, () => form.dispatchEvent(new Event('input')));
    const forget = () => {
      drawing.clear();
      for (const old of all(place, `[name="${CSS.escape(field)}.fileId"]`, HTMLInputElement)) (old.closest('ul') ?? old).remove();
    };
    clear.addEventListener('click', forget);
    modes.forEach((button, at) =>
      button.addEventListener('click', () => {
        modes.forEach((one, other) => (one.ariaPressed = String(other === at)));
        area.hidden = at === 0;
        if (typed) typed.hidden = at === 1;
        const name = typed && find(typed, 'input', HTMLInputElement);
        if (at === 1 && name) name.value = '';
        if (at === 0) forget();
        else drawing.fit();
      }),
    );
    return async () => {
      const image = await drawing.taken();
      if (!image) return true;
      const sent = await upload(context, image);
      if ('error' in sent) {
        mark(form, field, sent.error || file.failed.replace('{name}', words.drawn), definition.words);
        find(form, `#f-${CSS.escape(field)}-fault`, HTMLElement)?.scrollIntoView();
        return false;
      }
      for (const old of all(place, `[name="${CSS.escape(field)}.fileId"]`, HTMLInputElement)) old.remove();
      area.append(hidden(`${field}.fileId`, sent.fileId));
      drawing.keep();
      return true;
    };
  }
  function draw(canvas, changed) {
    let [dirty, drawn] = [false, false];
    const pen = canvas.getContext('2d');
    const settled = debounce(changed, 200);
    const at = (/** @type {PointerEvent} */ event) => /** @type {const} */ ([event.offsetX, event.offsetY]);
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      pen?.beginPath();
      pen?.moveTo(...at(event));
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      pen?.lineTo(...at(event));
      pen?.stroke();
      [dirty, drawn] = [true, true];
      settled();
    });
    return {
      fit() {
        if (!pen || canvas.width === Math.round(canvas.clientWidth * devicePixelRatio)) return;
        canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
        canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
        pen.scale(devicePixelRatio, devicePixelRatio);
        Object.assign(pen, { lineWidth: 2.2, lineCap: 'round', lineJoin: 'round', strokeStyle: '#1b1f3a' });
      },
      clear() {
        pen?.clearRect(0, 0, canvas.width, canvas.height);
        [dirty, drawn] = [false, false];
      },
      keep() {
        dirty = false;
      },
      restore(image) {
        const scale = Math.min(1 / devicePixelRatio, canvas.clientWidth / image.width, canvas.clientHeight / image.height);
        const [width, height] = [image.width * scale, image.height * scale];
        pen?.drawImage(image, (canvas.clientWidth - width) / 2, (canvas.clientHeight - height) / 2, width, height);
        [dirty, drawn] = [true, true];
      },
      taken: () => (dirty && drawn ? new Promise((resolve) => canvas.toBlob(resolve, 'image/png')) : Promise.resolve(null)),
    };
  }

  return { signatures, draw };
})();
const module26 = (() => {
  const { all, debounce, make, say } = module0;
  function combobox(of) {
    new Combobox(of).listen();
  }
  class Combobox {
    #of;
    #list;
    #bound;
    #lookups = 0;
    #found = [];
    #at = -1;
    constructor(of) {
      const { input, place, label } = of;
      this.#of = of;
      this.#list = make('ul', { id: this.#id, role: 'listbox', hidden: true, 'aria-label': label });
      this.#bound = of.fewest === 0;
      place.append(this.#list);
      const roles = { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': this.#id, 'aria-autocomplete': 'list' };
      for (const [name, value] of Object.entries(this.#bound ? { ...roles, autocomplete: 'off' } : roles)) input.setAttribute(name, value);
    }

    listen() {
      const { input } = this.#of;
      const typed = debounce(() => void this.#search(input.value.trim()), 250);
      input.addEventListener('input', () => typed());
      input.addEventListener('blur', () => this.#close());
      if (this.#bound) input.addEventListener('click', () => void (this.#list.hidden && this.#search('')));
      input.addEventListener('keydown', (event) => {
        if (this.#takesKey(event.key)) event.preventDefault();
      });
      this.#list.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        const item = event.target instanceof Element ? event.target.closest('li') : null;
        if (item) this.#choose([...this.#list.children].indexOf(item));
      });
    }

    get #id() {
      return `${this.#of.input.id}-list`;
    }
    #takesKey(key) {
      const at = this.#at;
      if (this.#bound && key === 'Enter') {
        if (!this.#list.hidden && (at >= 0 || this.#found.length === 1)) this.#choose(Math.max(at, 0));
      } else if (this.#list.hidden) {
        if (!this.#bound || !['ArrowDown', 'ArrowUp'].includes(key)) return false;
        void this.#search('');
      } else if (key === 'ArrowDown') this.#point(at + 1);
      else if (key === 'ArrowUp') this.#point(at < 0 ? this.#found.length - 1 : at - 1);
      else if (key === 'Enter' && at >= 0) this.#choose(at);
      else if (key === 'Escape') this.#close();
      else return false;
      return true;
    }

    #close() {
      const { input } = this.#of;
      this.#lookups += 1;
      this.#list.hidden = true;
      this.#at = -1;
      input.ariaExpanded = 'false';
      input.removeAttribute('aria-activedescendant');
    }
    #point(to) {
      if (this.#found.length === 0) return;
      this.#at = (to + this.#found.length) % this.#found.length;
      all(this.#list, 'li', HTMLElement).forEach((item, place) => (item.ariaSelected = String(place === this.#at)));
      this.#of.input.setAttribute('aria-activedescendant', `${this.#id}-${this.#at}`);
      this.#list.children[this.#at]?.scrollIntoView({ block: 'nearest' });
    }
    #choose(which) {
      const one = this.#found[which];
      if (one !== undefined) this.#of.choose(one);
      this.#close();
      this.#of.input.dispatchEvent(new Event('change', { bubbles: true }));
    }
    async #search(words) {
      const { input, fewest, search, text, count, none } = this.#of;
      this.#lookups += 1;
      const turn = this.#lookups;
      if (words.length < fewest || document.activeElement !== input) return this.#close();
      const come = await search(words).catch(() => undefined);
      if (turn !== this.#lookups) return;
      if (come === undefined) return this.#close();
      [this.#found, this.#at] = [come, -1];
      input.removeAttribute('aria-activedescendant');
      const items = come.map((one, place) =>
        make('li', { role: 'option', id: `${this.#id}-${place}`, 'aria-selected': 'false' }, text(one)),
      );
      if (items.length === 0 && none === undefined) return this.#close();
      this.#list.replaceChildren(...(items.length > 0 ? items : [make('li', { role: 'option', 'aria-disabled': 'true' }, none ?? '')]));
      this.#list.hidden = false;
      input.ariaExpanded = 'true';
      say(items.length > 0 ? count(items.length) : (none ?? ''));
    }
  }

  return { combobox };
})();
const module27 = (() => {
  const { recordText } = module23;
  const { combobox } = module26;
  const { all, fill, find, say } = module0;
  const { ask } = module1;

  const textOf = (/** @type {Found} */ { id, data }) => recordText(Object.values(data)) || id;
  function lookUpRecords(context) {
    for (const place of all(context.form, '[data-records]', HTMLElement)) {
      const part = place.closest('[data-field]');
      const input = find(place, 'input', HTMLInputElement);
      const registry = context.definition.fields.find(({ id }) => id === place.dataset.records)?.registryTypeId;
      if (!part || !input || registry === undefined) continue;
      input.removeAttribute('name');
      input.type = 'text';
      for (const button of all(place, 'button', HTMLButtonElement)) button.remove();
      find(place, '.parts', HTMLElement)?.classList.remove('parts');
      const select = find(part, 'select', HTMLSelectElement);
      const choose = select ? intoSelect(select, input) : intoList(context, part, input);
      combobox({
        place,
        input,
        label: input.ariaLabel ?? '',
        fewest: 0,
        async search(q) {
          const words = q === '' ? '' : `?${new URLSearchParams({ q })}`;
          const answer = await ask(`${context.operations}/registry/${registry}${words}`, { type: 'json' });
          if (answer.status !== 200) throw new Error(`status ${answer.status}`);
          return /** @type {Found[]} */ (answer.response?.records ?? []);
        },
        text: textOf,
        choose,
        count: (count) => fill(context.definition.words.record.found, { count }),
        none: context.definition.words.record.none,
      });
    }
  }
  function intoSelect(select, input) {
    const chosen = () => (select.value === '' ? '' : (select.selectedOptions[0]?.text ?? ''));
    input.removeAttribute('aria-label');
    for (const name of ['aria-describedby', 'aria-invalid', 'aria-required']) {
      const value = select.getAttribute(name);
      if (value !== null) input.setAttribute(name, value);
      select.removeAttribute(name);
    }
    const id = select.id;
    select.id = `${id}-value`;
    input.id = id;
    const shown = select.closest('.drop-down');
    if (shown instanceof HTMLElement) shown.hidden = true;
    input.placeholder = select.options[0]?.text ?? '';
    input.value = chosen();
    input.addEventListener('input', () => {
      if (input.value.trim() === '') select.value = '';
    });
    input.addEventListener('blur', () => (input.value = chosen()));
    return (/** @type {Found} */ found) => {
      if (![...select.options].some(({ value }) => value === found.id)) select.add(new Option(textOf(found), found.id));
      select.value = found.id;
      input.value = textOf(found);
      select.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }
  function intoList({ definition: { words } }, part, input) {
    return (/** @type {Found} */ found) => {
      const rows = all(part, '.choice', HTMLElement);
      const boxOf = (/** @type {Element} */ row) => find(row, 'input', HTMLInputElement);
      let row = rows.find((one) => boxOf(one)?.value === found.id);
      const pattern = rows[0];
      if (!row && pattern) {
        const made = /** @type {HTMLElement} */ (pattern.cloneNode(true));
        const [box, text] = [boxOf(made), find(made, '.text', HTMLElement)];
        if (box) Object.assign(box, { id: `${input.id}-${found.id}`, value: found.id });
        if (text) text.textContent = textOf(found);
        pattern.before(made);
        row = made;
      }
      const box = row && boxOf(row);
      if (!row || !box) return;
      row.hidden = false;
      box.checked = true;
      input.value = '';
      row.scrollIntoView({ block: 'nearest' });
      say(`${words.record.chosen}: ${textOf(found)}`);
      box.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }

  return { lookUpRecords };
})();
const module28 = (() => {
  const { combobox } = module26;
  const { all, fill, find } = module0;
  const { hidden } = module5;
  const { ask } = module1;

  const parts = ['street', 'city', 'region', 'postalCode', 'country'];
  function suggestAddresses(context) {
    for (const place of all(context.form, '[data-address]', HTMLElement)) {
      const input = find(place, 'input:not([type=hidden])', HTMLInputElement);
      if (input) suggest(context, place, input);
    }
  }
  function suggest({ operations, definition: { words, locale } }, place, input) {
    const field = place.dataset.address ?? '';
    const forget = () => all(place, 'input[type=hidden]', HTMLInputElement).forEach((old) => old.remove());
    input.addEventListener('input', (event) => {
      if (event.isTrusted) forget();
    });
    combobox({
      place,
      input,
      label: words.address.hint,
      fewest: 2,
      async search(q) {
        const answer = await ask(`${operations}/suggest?${new URLSearchParams({ q, count: '5', locale })}`, { type: 'json' });
        return /** @type {Suggestion[]} */ (answer.status === 200 ? (answer.response?.suggestions ?? []) : []);
      },
      text: ({ value }) => value,
      choose({ value, data = {} }) {
        input.value = value;
        forget();
        place.append(...parts.flatMap((part) => (typeof data[part] === 'string' ? [hidden(`${field}.${part}`, data[part])] : [])));
      },
      count: (count) => fill(words.address.found, { count }),
    });
  }

  return { suggestAddresses };
})();
const module29 = (() => {
  const { find } = module0;
  const { ask, isFramed } = module1;
  const { forget } = module24;
  function startOutcome() {
    const sent = find(document, '[data-sent]', HTMLElement);
    if (!sent) return;
    forget(sent.dataset.sent ?? '');
    const { redirect } = sent.dataset;
    if (redirect && performance.now() - sentAt < 30_000 && sentAt > 0) location.assign(redirect);
    void follow(sent.dataset.sent ?? '', 0);
    downloads(sent);
  }

  let sentAt = 0;
  function isSending() {
    sentAt = performance.now();
  }
  const waits = [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 20, 30, 60];
  async function follow(path, turn) {
    const place = find(document, '[data-status]', HTMLElement);
    const wait = waits[turn];
    if (!place || wait === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    try {
      const { responseXML } = await ask(`${path}/done`, { type: 'document' });
      const now = responseXML && find(responseXML, '.pdf', HTMLElement);
      if (now && !now.dataset.status && place.isConnected) {
        place.replaceWith(document.adoptNode(now));
        const sent = find(document, '[data-sent]', HTMLElement);
        return sent && downloads(sent);
      }
    } catch {}
    void follow(path, turn + 1);
  }
  function downloads(sent) {
    const link = find(sent, 'a[download]', HTMLAnchorElement);
    if (!link || !isFramed) return;
    link.addEventListener('click', async (event) => {
      if (link.href.startsWith('blob:')) return;
      event.preventDefault();
      const { response, status } = await ask(link.href, { type: 'blob' });
      if (status !== 200) return;
      link.href = URL.createObjectURL(response);
      link.download = 'document.pdf';
      link.click();
    });
  }

  return { startOutcome, isSending };
})();
const module30 = (() => {
  const { answersFromForm, checkAnswers } = module23;
  const { restore, startKeeping } = module24;
  const { all, debounce, fill, find, say } = module0;
  const { clearSummary, followSummary, isMarked, mark, summarise } = module3;
  const { prove, takeProof } = module4;
  const { signatures } = module25;
  const { lookUpRecords } = module27;
  const { suggestAddresses } = module28;
  const { uploads } = module5;
  const { isSending } = module29;
  const { focusOn, hasSession, visit } = module1;
  function contextOf(form) {
    const block = find(form, '#definition', HTMLScriptElement);
    const definition = JSON.parse(block?.text ?? '{"fields":[]}');
    return { form, definition, operations: form.dataset.operations ?? '' };
  }
  function look({ form, definition: { fields, locale } }) {
    const entries = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' ? [/** @type {const} */ ([name, value])] : [],
    );
    return checkAnswers(fields, answersFromForm(fields, entries, locale), { locale });
  }
  const stepsIn = (form) => all(form, '[data-step]', HTMLElement);
  const stepNow = (form) => stepsIn(form).find((step) => !step.hidden);
  function openSteps({ form }, visible) {
    return stepsIn(form).filter((step) => all(step, '[data-field]', HTMLElement).some(({ dataset }) => visible.has(dataset.field ?? '')));
  }
  function refresh(context) {
    const { form, definition } = context;
    const { visible } = look(context);
    for (const part of all(form, '[data-field]', HTMLElement)) {
      const hidden = !visible.has(part.dataset.field ?? '');
      if (part.hidden === hidden) continue;
      part.hidden = hidden;
      if (hidden) mark(form, part.dataset.field ?? '', undefined, definition.words);
    }
    const seen = find(form, '[name=_seen]', HTMLInputElement);
    if (seen) seen.value = [...visible].join(' ');
    const steps = openSteps(context, visible);
    const now = stepNow(form);
    describeStep(context, now ? steps.indexOf(now) : 0, steps.length);
  }
  function describeStep({ form, definition: { words } }, place, steps) {
    const last = place >= steps - 1;
    const text = find(form, '.progress [data-text]', HTMLElement);
    if (text) text.textContent = fill(words.step, { step: place + 1, steps });
    const bar = find(form, '.progress progress', HTMLProgressElement);
    if (bar) Object.assign(bar, { value: place + 1, max: steps });
    const button = find(form, '[data-next]', HTMLButtonElement);
    if (button && button.ariaDisabled !== 'true') button.textContent = (last ? button.dataset.send : button.dataset.next) ?? '';
    const back = find(form, '[value=back]', HTMLButtonElement);
    if (back) back.hidden = place <= 0;
    const intro = find(document, '.intro .lead', HTMLElement);
    if (intro) intro.hidden = place > 0;
    const proof = find(form, '.proof', HTMLElement);
    if (proof) proof.hidden = !last;
  }
  function open(context, step) {
    const { form } = context;
    for (const one of stepsIn(form)) one.hidden = one !== step;
    const number = find(form, '[name=_step]', HTMLInputElement);
    if (number) number.value = step.dataset.step ?? '';
    clearSummary(form);
    for (const notice of all(form, '.notice[role=status]', HTMLElement)) notice.remove();
    refresh(context);
    const progress = find(form, '.progress', HTMLElement);
    if (progress) progress.focus({ preventScroll: true });
    else focusOn(document);
    scrollTo({ top: 0 });
  }
  function errorsIn(context, step) {
    const { form, definition } = context;
    const errors = look(context).errors.filter(({ name }) => !step || step.querySelector(`[data-field="${CSS.escape(name)}"]`));
    for (const { id } of definition.fields) mark(form, id, errors.find(({ name }) => name === id)?.reason, definition.words);
    return errors;
  }
  async function go(context, submitter) {
    const { form, definition } = context;
    const { visible } = look(context);
    const steps = openSteps(context, visible);
    const now = stepNow(form);
    const place = now ? steps.indexOf(now) : 0;
    if (submitter instanceof HTMLButtonElement && submitter.value === 'back') {
      const before = steps[place - 1];
      return before && open(context, before);
    }
    const last = place >= steps.length - 1;
    const errors = errorsIn(context, last ? undefined : now);
    if (errors.length > 0) {
      const wrong = steps.find((step) => errors.some(({ name }) => step.querySelector(`[data-field="${CSS.escape(name)}"]`)));
      if (wrong && wrong !== now) open(context, wrong);
      const shown = errors.filter(({ name }) => !wrong || wrong.querySelector(`[data-field="${CSS.escape(name)}"]`));
      return summarise(form, shown, definition.words);
    }
    clearSummary(form);
    const next = steps[place + 1];
    if (!last && next) return open(context, next);
    await send(context, submitter);
  }
  async function send({ form, definition: { words } }, submitter) {
    const button = submitter instanceof HTMLButtonElement ? submitter : find(form, '[data-next]', HTMLButtonElement);
    const label = button?.textContent ?? '';
    if (button) button.ariaDisabled = 'true';
    if (button?.matches('.button')) button.textContent = words.busy;
    say(words.busy);
    if (button?.value !== 'keep') isSending();
    const data = new FormData(form, submitter);
    const proof = button?.value === 'keep' && !hasSession() ? await takeProof(form) : undefined;
    if (proof) data.set('altcha', proof);
    const texts = [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
    try {
      await visit(form.action, { method: 'POST', body: new URLSearchParams(texts) });
    } catch {
      if (button) {
        button.ariaDisabled = null;
        button.textContent = label;
      }
      summarise(form, [], words, words.offline);
    }
  }
  function later(form, submitter) {
    const wanted = submitter?.matches('.default') && document.activeElement?.matches('[name=_mail]');
    return (wanted && find(form, '[value=keep]', HTMLButtonElement)) || submitter;
  }
  const reloadsForm = (/** @type {HTMLElement | null} */ submitter) =>
    submitter instanceof HTMLButtonElement && (submitter.name !== '_go' || ['search', 'upload', 'keep'].includes(submitter.value));
  function startForm(form) {
    const context = contextOf(form);
    const { words } = context.definition;
    const drawings = signatures(context);
    uploads(context);
    suggestAddresses(context);
    prove(form, context.definition.locale);
    followSummary(form);
    const keeper = find(form, '[data-later]', HTMLElement);
    if (keeper) keeper.hidden = false;
    filters(form);
    if (restore(context)) refresh(context);
    lookUpRecords(context);
    const keep = startKeeping(context);
    let sending = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (sending) return;
      sending = true;
      try {
        if (!(await drawings.goUp())) return;
        const pressed = later(form, event.submitter);
        await (reloadsForm(pressed) ? send(context, pressed) : go(context, pressed));
      } finally {
        sending = false;
      }
    });
    const settle = debounce(() => refresh(context), 60);
    form.addEventListener('input', ({ target }) => {
      settle();
      keep();
      const id = target instanceof Element ? target.closest('[data-field]')?.getAttribute('data-field') : undefined;
      if (id && isMarked(form, id) && !look(context).errors.some(({ name }) => name === id)) mark(form, id, undefined, words);
    });
    counters(form, words);
    refresh(context);
  }
  function counters(form, words) {
    for (const place of all(form, '[data-count]', HTMLElement)) {
      const control = document.getElementById(place.dataset.of ?? '');
      if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue;
      const most = Number(place.dataset.count);
      const count = () => {
        const left = most - Array.from(control.value).length;
        place.hidden = left > most / 2;
        place.textContent = left >= 0 ? fill(words.left, { count: left }) : fill(words.over, { count: -left });
      };
      control.addEventListener('input', count);
      count();
    }
  }
  function filters(form) {
    for (const list of all(form, '[data-filter]', HTMLElement)) {
      if (find(list.closest('[data-field]') ?? list, '[data-records]', HTMLElement)) continue;
      const input = document.createElement('input');
      Object.assign(input, {
        type: 'search',
        className: 'input filter',
        ariaLabel: list.dataset.filter ?? '',
        placeholder: list.dataset.filter ?? '',
      });
      const rows = all(list, '.choice', HTMLElement).map((row) => ({ row, text: row.textContent?.toLocaleLowerCase() ?? '' }));
      input.addEventListener('input', (event) => {
        event.stopPropagation();
        const wanted = input.value.trim().toLocaleLowerCase();
        for (const { row, text } of rows) row.hidden = !text.includes(wanted) && !row.querySelector(':checked');
      });
      list.before(input);
    }
  }

  return { startForm };
})();
const module31 = (() => {
  const { find } = module0;
  const { prove } = module4;
  function startSignIn() {
    const onward = find(document, 'a[data-go-to]', HTMLAnchorElement);
    if (onward) location.replace(`${onward.href}${location.hash}`);
    const form = find(document, 'form[data-sign-in]', HTMLFormElement);
    const settings = find(document, '#sign-in-words', HTMLElement)?.textContent;
    if (!form || !settings || form.dataset.started === 'on') return;
    form.dataset.started = 'on';
    const words = JSON.parse(settings);
    const alert = find(form, '[role=alert]', HTMLElement);
    const refuse = (code) => {
      if (!alert) return;
      alert.hidden = false;
      alert.textContent = words.problems[code ?? ''] ?? words.failed;
    };
    if ('reset' in form.dataset) prove(form, document.documentElement.lang);
    readFragment(form, refuse);
    const button = find(form, '[data-passkey]', HTMLButtonElement);
    if (!button || !('PublicKeyCredential' in globalThis) || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return;
    button.hidden = false;
    button.addEventListener('click', () => void usePasskey(form).then((code) => code !== undefined && refuse(code)));
  }
  function readFragment(form, refuse) {
    const answer = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
    const [error, challenge] = [answer.get('error'), answer.get('challengeId')];
    if (error !== null) return refuse(error);
    if (challenge === null) return;
    const sent = { _do: 'challenge', challengeId: challenge, methods: answer.get('methods') ?? '' };
    for (const [name, value] of Object.entries(sent)) {
      const field = document.createElement('input');
      Object.assign(field, { type: 'hidden', name, value });
      form.append(field);
    }
    form.submit();
  }
  async function usePasskey(form) {
    const { signIn = '', operation = '', challenge, next = '' } = form.dataset;
    const members = challenge === undefined ? {} : { challengeId: challenge };
    const options = await post(`${signIn}/${operation}/options`, members);
    if (!options.ok) return options.body.code ?? 'failed';
    const response = await passkeyFor(options.body);
    if (response === undefined) return 'no_passkey';
    const answer = await post(`${signIn}/${operation}`, { ...members, response });
    if (!answer.ok) return answer.status === 429 ? 'failed' : (answer.body.code ?? 'failed');
    location.replace(next);
    return undefined;
  }
  async function passkeyFor(options) {
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
    } catch {
      return undefined;
    }
  }
  async function post(address, body) {
    try {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(address, { ...sent, credentials: 'same-origin', cache: 'no-store' });
      return { ok: response.ok, status: response.status, body: await response.json() };
    } catch {
      return { ok: false, status: 0, body: {} };
    }
  }

  return { startSignIn };
})();
const module32 = (() => {
  const { all, fill, find, make } = module0;
  const { draw } = module25;
  function startSigning() {
    const place = find(document, '[data-sign]', HTMLElement);
    const form = place?.closest('form');
    const name = place && find(place, '#name', HTMLInputElement);
    const settings = find(document, '#signing-words', HTMLElement)?.textContent;
    if (!place || !form || !name || !settings || place.dataset.sign === 'on') return;
    place.dataset.sign = 'on';
    keepBar(form);
    const words = JSON.parse(settings);
    const specimen = make('p', { class: 'specimen', 'aria-hidden': 'true' });
    const canvas = make('canvas', { class: 'pad', role: 'img', 'aria-label': words.pad });
    const clear = make('button', { type: 'button', class: 'button plain small' }, words.clear);
    const area = make('div', { hidden: true }, canvas, clear);
    const modes = [words.type, words.draw].map((label, at) => make('button', { type: 'button', 'aria-pressed': String(at === 0) }, label));
    place.append(make('div', { class: 'modes', role: 'group' }, ...modes), specimen, area);
    const show = () => (specimen.textContent = name.value);
    name.addEventListener('input', show);
    show();
    const drawing = draw(canvas, () => undefined);
    clear.addEventListener('click', () => drawing.clear());
    modes.forEach((button, at) =>
      button.addEventListener('click', () => {
        modes.forEach((one, other) => (one.ariaPressed = String(other === at)));
        area.hidden = at === 0;
        specimen.hidden = at === 1;
        if (at === 0) drawing.clear();
        else drawing.fit();
      }),
    );
    const before = place.dataset.drawn;
    if (before) {
      modes[1]?.click();
      void fetchDrawing(before).then((image) => image && drawing.restore(image));
    }
    const kept = make('input', { type: 'hidden', name: 'drawing' });
    form.append(kept);
    let ready = false;
    form.addEventListener('submit', (event) => {
      if (ready || area.hidden) return;
      event.preventDefault();
      void bounded(canvas, drawing).then((data) => {
        kept.value = data || 'nothing';
        ready = true;
        setTimeout(() => form.requestSubmit());
      });
    });
  }
  function keepBar(form) {
    const bar = find(document, '[data-sign-bar]', HTMLElement);
    const [text, meter, ready] = bar
      ? [find(bar, 'span', HTMLElement), find(bar, 'progress', HTMLProgressElement), find(bar, 'button', HTMLButtonElement)]
      : [];
    if (!bar || !text || !meter || !ready) return;
    const links = all(bar, 'a', HTMLAnchorElement);
    const isDone = (link) => {
      const field = find(form, link.hash, HTMLInputElement);
      return field?.type === 'checkbox' ? field.checked : field?.value.trim() !== '';
    };
    const show = () => {
      const open = links.filter((link) => !isDone(link));
      for (const link of links) link.hidden = link !== open[0];
      ready.hidden = open.length > 0;
      meter.value = links.length - open.length;
      text.textContent = fill(bar.dataset.signBar ?? '', { done: meter.value, steps: links.length });
      meter.ariaLabel = text.textContent;
    };
    for (const name of ['input', 'change']) form.addEventListener(name, show);
    show();
  }
  async function fetchDrawing(data) {
    try {
      const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (one) => one.charCodeAt(0));
      return await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    } catch {
      return undefined;
    }
  }
  async function bounded(canvas, drawing) {
    const image = await drawing.taken();
    const ink = image && inkOf(canvas);
    if (!ink) return '';
    const scale = Math.min(1, 1_000 / ink.width, 400 / ink.height);
    const [width, height] = [ink.width, ink.height].map((side) => Math.max(1, Math.floor(side * scale)));
    const small = make('canvas', { width: String(width), height: String(height) });
    small.getContext('2d')?.drawImage(canvas, ink.x, ink.y, ink.width, ink.height, 0, 0, width ?? 1, height ?? 1);
    return small.toDataURL('image/png');
  }
  function inkOf(canvas) {
    const { width, height } = canvas;
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        if (!data[(y * width + x) * 4 + 3]) continue;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      }
    return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }

  return { startSigning };
})();
const module33 = (() => {
  const { startBooker } = module2;
  const { startCompare } = module6;
  const { all, find } = module0;
  const { startForm } = module30;
  const { startOutcome } = module29;
  const { startSignIn } = module31;
  const { startSigning } = module32;
  const { isFramed, isSamePage, onPage, visit } = module1;
  onPage(() => {
    const form = find(document, '#form', HTMLFormElement);
    if (form) startForm(form);
    startBooker();
    startOutcome();
    startCompare();
    startSigning();
    startSignIn();
    menus();
  });

  addEventListener('popstate', () => {
    if (!isSamePage()) void visit(location.href, { history: 'none' }).catch(() => location.reload());
  });
  function menus() {
    for (const menu of all(document, 'details.languages', HTMLDetailsElement)) {
      menu.addEventListener('keydown', ({ key }) => {
        if (key !== 'Escape') return;
        menu.open = false;
        find(menu, 'summary', HTMLElement)?.focus();
      });
      menu.addEventListener('focusout', ({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
      });
    }
  }

  document.addEventListener('click', ({ target }) => {
    for (const menu of all(document, 'details.languages[open]', HTMLDetailsElement))
      if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });

  if (isFramed) {
    document.documentElement.dataset.framed = '';
    let host;
    const sendHeight = () => {
      if (host !== undefined) parent.postMessage({ type: 'chancery:height', height: document.body.getBoundingClientRect().height }, host);
    };
    addEventListener('message', ({ origin, source, data }) => {
      if (source !== parent || data?.type !== 'chancery:hello') return;
      host = origin;
      sendHeight();
    });
    new ResizeObserver(sendHeight).observe(document.body);
  }

  return {};
})();
