import ObjectStore
import Presentation
import PropertyLists
import Screens

/// Answers a viewer of a part: what stands at the same place of the outline of what the viewer below shows.
struct PartSource: ScreenSource {
    let whole: any ScreenSource
    let place: OutlinePlace

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        // With its outline, however long that takes.
        guard case .value(let content?) = try whole.answer(request.asking(for: .outline), progress: progress),
            case .outline(let root) = content.form
        else { return .value(nil) }
        switch place.node(below: root)?.value {
        case .data(let bytes)?: return .value(ViewedContent(bytes: bytes, isFirstLook: request.kind == .value))
        case .string(let text)?: return .value(ViewedContent(text: text, isFirstLook: request.kind == .value))
        default: return .value(nil)
        }
    }
}
