/** The kinds of findings of a scan. */
export type FindingCode =
  | 'injection'
  | 'shell'
  | 'sends_data'
  | 'remote_instructions'
  | 'environment'
  | 'obfuscation'
  | 'credential'
  | 'invisible_text'
  | 'program'
  | 'not_text'
  | 'unknown_key';

/** The meaning of each finding, for the member who installs a skill. */
export const meaning: Record<FindingCode, string> = {
  injection: 'Tells the model to ignore its instructions, to hide something from people, or to bypass a check',
  shell: 'Runs a shell command, or deletes without confirmation. Chancery executes nothing of a skill',
  sends_data: 'Sends data to an external address, or names a service that collects data',
  remote_instructions: 'Loads instructions from an external address, whose content can change at any time',
  environment: 'Reads settings, keys or accounts of the machine',
  obfuscation: 'Hides its meaning: encoded text, or text that is assembled at run time',
  credential: 'Contains a possible credential. Remove it, and replace the credential',
  invisible_text: 'Contains invisible characters that a model reads, or characters that change the text direction',
  program: 'Is a program. Chancery stores it and never executes it',
  not_text: 'Is not UTF-8 text, so the scan cannot read it, and agents do not get it',
  unknown_key: 'Has a front matter key that the format does not define. The key has no effect',
};

type Pattern = {
  code: FindingCode;
  /** Lower-case words; every match of the pattern contains at least one of them. The check for words is much faster. */
  words: readonly string[];
  pattern: RegExp;
};

const said = '(?:instructions?|rules?|prompts?|guidelines?|directions?|constraints?|orders)';
const earlier = '(?:all|any|every|previous|prior|above|earlier|preceding|existing|original|system|your|other)';

/** Every repetition in these patterns has a limit, so that a scan takes linear time. */
export const patterns: readonly Pattern[] = [
  {
    code: 'injection',
    words: ['ignore', 'disregard', 'forget', 'override'],
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override)\\s{1,5}(?:\\w{1,12}\\s{1,5}){0,3}${earlier}\\s{1,5}(?:\\w{1,12}\\s{1,5}){0,2}${said}`,
      'gi',
    ),
  },
  {
    code: 'injection',
    words: ['ignorier', 'missachte', 'vergiss', 'ignore', 'oublie', 'ignora', 'olvida'],
    pattern:
      /\b(?:(?:ignoriere?|missachte|vergiss)\s{1,5}(?:\w{1,12}\s{1,5}){0,2}(?:vorherigen|bisherigen|obigen|früheren)\s{1,5}(?:anweisungen|regeln)|(?:ignorez?|oubliez?)\s{1,5}(?:\w{1,12}\s{1,5}){0,2}(?:instructions|règles|consignes)\s{1,5}(?:précédentes|antérieures)|(?:ignora|olvida)\s{1,5}(?:\w{1,12}\s{1,5}){0,2}(?:instrucciones|reglas)\s{1,5}(?:anteriores|previas))/giu,
  },
  {
    code: 'injection',
    words: ['tell', 'inform', 'mention', 'reveal', 'show', 'notify', 'asking'],
    pattern:
      /\b(?:(?:do not|don['’]t|never)\s{1,5}(?:tell|inform|mention\s{1,5}(?:this|it)\s{1,5}to|reveal\s{1,5}(?:this|it)\s{1,5}to|show\s{1,5}(?:this|it)\s{1,5}to|notify)\s{1,5}(?:the\s{1,5}|any\s{1,5})?(?:user|human|person|people|administrator|admin|owner|anyone|anybody)|without\s{1,5}(?:asking|telling|informing|notifying)\s{1,5}(?:the\s{1,5}|any\s{1,5})?(?:user|human|person|administrator|admin|owner|anyone|anybody))/gi,
  },
  {
    code: 'injection',
    words: ['approv', 'safety', 'guard', 'confirmation', 'review'],
    pattern:
      /\b(?:bypass|circumvent|skip|evade|avoid|disable|work\s{1,5}around)\s{1,5}(?:\w{1,12}\s{1,5}){0,3}(?:approvals?|safety|guard\s?rails?|confirmations?|human\s{1,5}review)/gi,
  },
  {
    code: 'injection',
    words: ['<|', '[inst]', '<system', '[system]', 'system prompt', 'developer mode', 'jailbreak', 'you are now'],
    pattern:
      /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<\/?system(?:_prompt)?>|\[system\]|\b(?:reveal|print|repeat|output|show)\s{1,5}(?:\w{1,12}\s{1,5}){0,3}system\s{1,5}prompt|\bdeveloper mode\b|\bjailbreak|\byou are now\s{1,5}(?:a|an|in|the|no longer)\b/gi,
  },
  {
    code: 'shell',
    words: ['curl', 'wget', 'base64', 'invoke-webrequest', 'iwr', 'irm', 'fetch'],
    pattern:
      /\b(?:curl|wget|base64|invoke-webrequest|iwr|irm|fetch)\b[^\n|;]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:(?:ba|z|da|k|fi)?sh|python\d?|node|perl|ruby|php|iex|invoke-expression)\b/gi,
  },
  {
    code: 'shell',
    words: ['curl', 'wget'],
    pattern: /(?:\b(?:ba|z)?sh|\bsource|\beval)\s{1,5}(?:-c\s{1,5})?["']?[<$]\(\s{0,5}(?:curl|wget)\b/gi,
  },
  {
    code: 'shell',
    words: ['rm ', 'mkfs', 'powershell', 'pwsh', '/dev/tcp'],
    pattern:
      /\brm\s{1,5}-(?:rf|fr|r\s{1,5}-f)\s{1,5}["']?[~/$*.]|\bmkfs\.\w|\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,100}-e(?:nc|ncodedcommand)?\b|\/dev\/tcp\//gi,
  },
  {
    code: 'sends_data',
    words: ['curl', 'wget', 'requests.', 'axios', 'fetch(', 'sendbeacon', 'httpx.'],
    pattern:
      /\bcurl\b[^\n]{0,200}\s(?:-d|-F|-T|--data(?:-\w{1,12})?|--form|--upload-file|-X\s{0,3}(?:POST|PUT))\b|\bwget\b[^\n]{0,200}--post-(?:data|file)|\b(?:requests|httpx|axios)\.(?:post|put|patch)\s?\(|\bfetch\([^\n]{0,200}method['"]?\s{0,3}:\s{0,3}['"](?:POST|PUT)|\bsendBeacon\(/gi,
  },
  {
    code: 'sends_data',
    words: [
      'webhook.site',
      'requestbin',
      'ngrok',
      'pastebin',
      'pipedream',
      'interact.sh',
      'burpcollaborator',
      'oast.',
      'transfer.sh',
      'hookbin',
      'beeceptor',
    ],
    pattern:
      /\b(?:webhook\.site|requestbin\.\w{2,4}|[\w-]{1,63}\.ngrok(?:-free)?\.(?:io|app|dev)|pastebin\.com|pipedream\.net|interact\.sh|burpcollaborator\.net|oast\.\w{2,6}|transfer\.sh|hookbin\.com|beeceptor\.com)\b/gi,
  },
  {
    code: 'sends_data',
    words: ['http'],
    pattern:
      /\b(?:send|post|upload|forward|submit|exfiltrate|report|transmit)\s{1,5}(?:[\w'’,]{1,20}\s{1,5}){1,12}?(?:to|at|via)\s{1,5}<?https?:\/\/|!\[[^\]\n]{0,100}\]\(https?:\/\/[^\s)]{1,200}[?&][^\s)=]{1,50}=[^\s)]{0,50}[{$<]/gi,
  },
  {
    code: 'remote_instructions',
    words: ['http'],
    pattern:
      /\b(?:follow|execute|obey|fetch|load|download|read|run|get)\s{1,5}(?:[\w'’,]{1,20}\s{1,5}){0,8}?(?:instructions?|commands?|steps|prompts?|rules|script)\s{1,5}(?:[\w'’,]{1,20}\s{1,5}){0,4}?(?:from|at|on|of)\s{1,5}<?https?:\/\//gi,
  },
  {
    code: 'environment',
    words: [
      'environ',
      'getenv',
      'process.env',
      'printenv',
      '.env',
      '/.ssh',
      '/.aws',
      '/etc/',
      '/proc/self',
      'id_rsa',
      'id_ed25519',
      '.netrc',
      'keychain',
    ],
    pattern:
      /\bos\.environ\b|\bgetenv\s?\(|\bprocess\.env\b|\bDeno\.env\b|\bprintenv\b|(?:^|[\s"'`/(])\.env(?:\.\w{1,20})?(?=$|[\s"'`),;])|[~\w]\/\.(?:ssh|aws|gnupg|kube|docker)\/|\/etc\/(?:passwd|shadow)\b|\/proc\/self\/environ|\bid_(?:rsa|ed25519)\b|(?:^|[\s"'`/])\.netrc\b|\bsecurity\s{1,3}find-generic-password/gim,
  },
  {
    code: 'environment',
    words: [
      '$aws_',
      '$github_',
      '$openai',
      '$anthropic',
      '${aws_',
      '${github_',
      '${openai',
      '${anthropic',
      '169.254.169.254',
      'metadata.google',
    ],
    pattern: /\$\{?(?:AWS_|GITHUB_|OPENAI_|ANTHROPIC_)\w{1,40}|\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b/g,
  },
  {
    code: 'obfuscation',
    words: ['base64', 'atob(', 'fromcharcode', 'eval(', 'exec(', 'unescape(', 'marshal.', 'rot13', '__import__'],
    pattern:
      /\bbase64\s{1,3}(?:-d|-D|--decode)\b|\bb64decode\s?\(|\bbase64\.(?:b64)?decode|\batob\s?\(|\bfromCharCode\s?\(|\beval\s?\(|\bexec\s?\(|\bunescape\s?\(|\bmarshal\.loads|\brot_?13\b|\b__import__\s?\(/gi,
  },
  {
    code: 'obfuscation',
    words: ['\\x', '\\u00', '&#x'],
    pattern: /(?:\\x[0-9a-f]{2}){12,200}|(?:\\u00[0-9a-f]{2}){12,200}|(?:&#x[0-9a-f]{2};){12,200}/gi,
  },
  // Encoded text: a long run without a space. This also finds data URLs, for example of images.
  { code: 'obfuscation', words: [''], pattern: /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{200,400}/g },
];

/** File names of programs. */
export const executableName =
  /\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd|vbs|exe|dll|so|dylib|msi|jar|py|pyc|rb|pl|php|js|mjs|cjs|ts|mts|lua|go|rs|c|wasm|app|scpt|r)$/i;
