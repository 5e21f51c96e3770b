/** Which of our packages each package may import. A test compares it with the table of ARCHITECTURE.md. */
const mayImport = require('./scripts/lint/may-import.json')
const packages = Object.keys(mayImport)
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** What several features of the dashboard use. */
const SHARED_IN_DASHBOARD = 'components|queries|session|coloring|preview|visit|scenes|marks'

module.exports = {
  forbidden: [
    ...packages.map(name =>
      // Tests of the client compare it with the contract; those of pages start a service.
      forbid(`what-${name}-imports`, { path: `^${name}/`, pathNot: '^(client|dashboard|embed)/(test|bench)/' }, { path: `^(${packages.filter(other => other !== name && !mayImport[name].includes(other)).join('|')})/` }, 'ARCHITECTURE.md says which package may import which.'),
    ),
    forbid('no-cycles', {}, { circular: true }, 'No cycles, type imports included.'),
    forbid('client-core-is-for-every-platform', { path: '^client/src/', pathNot: '^client/src/node\\.ts$' }, { dependencyTypes: ['core', 'npm'] }, 'The client runs in browsers and edge runtimes: only its Node edge may use Node.'),
    forbid(
      'psd-core-is-pure',
      { path: '^psd/src/', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/(fflate|ag-psd)/' },
      'Photoshop files are read in a browser too.',
    ),
    forbid('photo-core-is-pure', { path: '^photo/src/', pathNot: '\\.test\\.ts$' }, { dependencyTypes: ['core', 'npm'] }, 'Photos become templates in a browser too.'),
    forbid('only-the-psd-worker-reads-photoshop-files', { path: '^service/(src|bin)/', pathNot: '^service/src/psd-import/psd-worker\\.ts$|\\.test\\.ts$' }, { path: '^psd/' }, 'Untrusted files are read in a process that can be killed.'),
    forbid('only-the-bundle-worker-reads-bundles', { path: '^service/(src|bin)/', pathNot: '^service/src/templates/bundle-worker\\.ts$|\\.test\\.ts$' }, { path: '^service/src/templates/answer-bundle-request\\.ts$' }, 'Untrusted pictures are decoded in a process that can be killed.'),
    forbid('only-the-photo-worker-reads-photos', { path: '^service/(src|bin)/', pathNot: '^service/src/photo-import/photo-worker\\.ts$|\\.test\\.ts$' }, { path: '^photo/' }, 'Untrusted pictures are decoded in a process that can be killed.'),
    forbid(
      'dashboard-features-do-not-import-one-another',
      { path: '^dashboard/src/([^/]+)/', pathNot: '^dashboard/src/(pages|shell)/|\\.test\\.ts$' },
      { path: '^dashboard/src/[^/]+/', pathNot: `^dashboard/src/($1|${SHARED_IN_DASHBOARD})/` },
      'router -> pages and shell -> features -> what they share.',
    ),
    forbid(
      'dashboard-components-and-queries-know-no-feature',
      { path: '^dashboard/src/(components|queries|session)/' },
      { path: '^dashboard/src/[^/]+/', pathNot: '^dashboard/src/(components|queries|session)/' },
      'What every page may use knows none of them.',
    ),
    forbid(
      'engine-core-is-pure',
      { path: '^engine/src/', pathNot: '^engine/src/(node|browser)/|\\.test\\.ts$' },
      { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/fflate/' },
      'The engine runs in a browser: only its Node edge may use Node or native libraries.',
    ),
    forbid('the-browser-edge-is-no-node', { path: '^engine/src/browser/', pathNot: '\\.test\\.ts$' }, { dependencyTypes: ['core'] }, 'What browsers run must not need Node.'),
    forbid('the-browser-edge-is-not-the-node-edge', { path: '^engine/src/browser/', pathNot: '\\.test\\.ts$' }, { path: '^engine/src/node/' }, 'What browsers run must not need Node.'),
    forbid('only-the-node-edge-imports-sharp', { path: '^(engine|psd|photo|service)/', pathNot: '^engine/(src/node|bench|test)/|\\.test\\.ts$|^service/(test|bench)/' }, { path: 'node_modules/sharp/' }, 'Untrusted pictures are decoded behind the codec only.'),
    forbid('routes-do-not-import-the-database', { path: '^service/src/routes/' }, { path: '^service/src/database/' }, 'routes -> services -> database.'),
    forbid(
      'services-do-not-import-http',
      { path: '^service/src/[^/]+/', pathNot: '^service/src/(http|routes|dashboard|mcp|cli)/|\\.test\\.ts$' },
      { path: '^service/src/(http|routes)/' },
      'Services throw typed failures; http/ turns them into answers.',
    ),
    forbid('only-artwork-download-opens-sockets', { path: '^service/src/', pathNot: '^service/src/artwork-download/|\\.test\\.ts$' }, { path: '^(tls|dns|dns/promises|https|undici)$' }, 'Addresses that callers give are opened in artwork-download/ only.'),
    forbid('production-does-not-import-tests', { path: '^(contract|client|engine|psd|photo|live|service|dashboard|embed)/(src|bin)/', pathNot: '\\.test\\.ts$' }, { path: '\\.test\\.ts$|^(engine|psd|photo|service|contract|client|dashboard|embed)/test/' }, 'Tests import the code, not the other way round.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(engine/kernels/|data/|templates/|dashboard/dist/|embed/dist/)' },
    skipAnalysisNotInRules: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
