// swift-format-ignore-file
// Made by Tools/scripts/stand-in-names of Tests/DocumentationTests/FrameworkNames/SwiftData.txt: the
// names alone, so that a file that has one of Daybook's beside them does not compile.
public struct Attribute {};public struct BackingData {}
public struct DataStore {};public struct DataStoreBatching {}
public struct DataStoreConfiguration {};public struct DataStoreError {}
public struct DataStoreFetchRequest {};public struct DataStoreFetchResult {}
public struct DataStoreSaveChangesRequest {};public struct DataStoreSnapshot {}
public struct DefaultBackingData {};public struct DefaultHistoryDelete {}
public struct DefaultHistoryInsert {};public struct DefaultHistoryToken {}
public struct DefaultHistoryTransaction {};public struct DefaultHistoryUpdate {}
public struct DefaultSerialModelExecutor {};public struct DefaultSnapshot {}
public struct DefaultStore {};public struct EditingState {}
public struct FetchDescriptor {};public struct FetchResultsCollection {}
public struct HistoryChange {};public struct HistoryDelete {}
public struct HistoryDescriptor {};public struct HistoryInsert {}
public struct HistoryProviding {};public struct HistoryToken {}
public struct HistoryTombstone {};public struct HistoryTransaction {}
public struct HistoryUpdate {};public struct Index {}
public struct MigrationStage {};public struct Model {}
public struct ModelActor {};public struct ModelConfiguration {}
public struct ModelContainer {};public struct ModelContext {}
public struct ModelExecutor {};public struct PersistentIdentifier {}
public struct PersistentModel {};public struct Query {}
public struct Relationship {};public struct RelationshipCollection {}
public struct Schema {};public struct SchemaMigrationPlan {}
public struct SerialModelExecutor {};public struct SwiftDataError {}
public struct Transient {};public struct Unique {}
public struct VersionedSchema {}
