/// Folding: each gives a new model over the same backing model.
///
/// - Complexity: O(sections) operations on numbers, none on items or names.
extension CollapsibleDataModel {
    /// The model with `section` expanded; the same model if it is, or if there is no such section.
    ///
    /// - Parameter singleExpandedSection: whether all other sections are collapsed by that.
    public func expandingSection(_ section: Int, singleExpandedSection: Bool = false) -> CollapsibleDataModel {
        guard isSectionCollapsed(section) else { return self }
        var collapsed =
            singleExpandedSection ? ContiguousArray(repeating: true, count: self.collapsed.count) : self.collapsed
        collapsed[section] = false
        return with(collapsed)
    }

    /// The model with `section` collapsed; the same model if it is, or if there is no such section.
    public func collapsingSection(_ section: Int) -> CollapsibleDataModel {
        guard section >= 0, section < numberOfSections, !collapsed[section] else { return self }
        var collapsed = self.collapsed
        collapsed[section] = true
        return with(collapsed)
    }

    /// The model with `section` folded if it was unfolded, and the reverse: what a tap on its header does.
    ///
    /// - Parameter singleExpandedSection: whether unfolding it collapses all other sections.
    public func togglingSection(_ section: Int, singleExpandedSection: Bool = false) -> CollapsibleDataModel {
        isSectionCollapsed(section)
            ? expandingSection(section, singleExpandedSection: singleExpandedSection) : collapsingSection(section)
    }

    /// The model with all sections expanded.
    public func expandingAllSections() -> CollapsibleDataModel {
        with(ContiguousArray(repeating: false, count: collapsed.count))
    }

    /// The model with all sections collapsed.
    public func collapsingAllSections() -> CollapsibleDataModel {
        with(ContiguousArray(repeating: true, count: collapsed.count))
    }

    /// The model with just the sections of these names expanded. One hash a section.
    public func expandingOnly(_ names: Set<SectionName>) -> CollapsibleDataModel {
        CollapsibleDataModel(backingModel: backingModel, expandedSectionNames: names, showsHeaders: showsHeaders)
    }

    private func with(_ collapsed: ContiguousArray<Bool>) -> CollapsibleDataModel {
        CollapsibleDataModel(backingModel: backingModel, collapsed: collapsed, showsHeaders: showsHeaders)
    }
}
