/** The rooms and who may know whom (ARCHITECTURE.md has the same list in words). */
const room = name => `^${name}/`
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'No cycles, type imports included.'),
    forbid('contract-knows-nobody', { path: room('contract') }, { path: '^(engine|service|dashboard|sdk)/' }, 'The contract imports nothing of ours.'),
    forbid('engine-knows-nobody', { path: room('engine') }, { path: '^(contract|service|dashboard|sdk)/' }, 'The engine imports nothing of ours.'),
    forbid('sdk-knows-the-contract', { path: room('sdk') }, { path: '^(engine|service|dashboard)/' }, 'The client knows the contract alone.'),
    forbid('dashboard-knows-contract-and-engine', { path: room('dashboard'), pathNot: '^dashboard/test/' }, { path: '^(service|sdk)/' }, 'The dashboard talks to the service over HTTP. Its browser tests start a service.'),
    forbid('service-knows-contract-and-engine', { path: room('service') }, { path: '^(dashboard|sdk)/' }, 'The service serves the built pages, it imports none of them.'),
    forbid(
      'engine-core-is-pure',
      { path: '^engine/src/', pathNot: '^engine/src/node/|\\.test\\.ts$' },
      { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/fflate/' },
      'The engine runs in a browser: only its Node edge may use Node or native libraries.',
    ),
    forbid('only-the-node-edge-knows-sharp', { path: '^(engine|service)/', pathNot: '^engine/(src/node|bench|test)/|\\.test\\.ts$|^service/(test|bench)/' }, { path: 'node_modules/sharp/' }, 'Untrusted pictures are decoded behind the codec only.'),
    forbid('routes-do-not-know-the-database', { path: '^service/src/routes/' }, { path: '^service/src/database/' }, 'routes -> services -> database.'),
    forbid(
      'services-do-not-know-http',
      { path: '^service/src/(mockups|artwork-download|credits|usage|rate-limits|api-keys|accounts|templates|database|storage|idempotency|received-bytes)/', pathNot: '\\.test\\.ts$' },
      { path: '^service/src/(http|routes)/' },
      'Only the http layer knows status codes.',
    ),
    forbid('production-does-not-know-tests', { path: '^(contract|engine|service|dashboard)/(src|bin)/', pathNot: '\\.test\\.ts$' }, { path: '\\.test\\.ts$|^(engine|service|contract|dashboard)/test/' }, 'Tests know the code, not the other way round.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(engine/kernels/|data/|templates/|dashboard/dist/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
