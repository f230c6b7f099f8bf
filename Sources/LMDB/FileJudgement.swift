package enum FileJudgement {
  static func judge(path: String, missingIsEmpty: Bool) throws(LMDBError) {}
}
